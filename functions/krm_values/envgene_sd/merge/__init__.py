"""How an incoming SD and the Full SD become one."""
