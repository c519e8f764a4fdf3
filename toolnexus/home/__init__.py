"""What a persona is: layout, notes, links, soul, index, and what is wrong with them. All pure."""
