import json


def read_settings(path, log):
    with open(path) as file:
        try:
            $0
        finally:
            log.write(f"read {path}\n")
