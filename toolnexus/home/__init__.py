"""What a persona is: its layout, notes, links, soul, index and what is wrong with them. All pure."""
