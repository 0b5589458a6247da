# What the pages in the browser need; see web/README.md.
