def play(command, exits):
    match command.split():
        case ["go", direction$0
            return f"You go {direction}."
        case ["look"]:
            return "You see " + ", ".join(exits)
