"""The plugin that runs inside vLLM: masks for requests that say what lies left and right of the text.

vLLM finds this by its entry points, and is changed in two places: where requests are checked, and where a
grammar is made of what a request says. A request whose grammar begins with `fim:` gets one of ours; all
others go on as before. All else is vLLM's own: masks are worked out beside the forward pass, applied by its
kernels, and hold for its speculation, too, as each is a state that tokens can be taken back from. Only on
processors, where it has no kernels for this, they are applied here.

    filling.py   a text in progress: which tokens may come next
    together.py  the masks of all texts at once, while the network computes
    striking.py  masks applied to logits on processors
    grammar.py   that in vLLM's words, and one vocabulary for all requests
    register.py  the entry point `vllm.general_plugins`: the places
    routes.py    the entry point `vllm.endpoint_plugins`: the model's tokens, for clients that write with them

docs/team.md says how it is started. Importing this imports nothing.
"""
