"""Tool servers: programs that offer tools by the Model Context Protocol, and their tools as ours.

`tool_servers` holds the servers of one home, `connection` one of them while it is open, `launch`
how it is begun (pure), `naming` and `vetting` which tools of it are offered (pure). The official
SDK is spoken to in `vendor` alone.
"""
