"""Models only: what may be read by everybody. No code here touches a product, a browser or an answer."""
