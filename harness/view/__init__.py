"""The viewer: a local web application over a folder of results. It answers on loopback to who has its token, and only reads."""
