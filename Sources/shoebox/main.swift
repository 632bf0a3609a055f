print("shoebox")
