"""The plugin that runs inside vLLM: masks for requests that say what lies left and right of the text.

vLLM finds the plugin by its entry points. The plugin changes vLLM in two places: where it checks requests and
where it makes a grammar from a request. A request whose grammar begins with `fim:` gets one of ours; all
others go on as before. vLLM does the rest: it computes masks beside the forward pass, its kernels apply them,
and its speculation works, too, because our states can take tokens back. On processors vLLM has no kernels for
this, so we apply the masks here.

    filling.py   a text in progress: which tokens may come next
    together.py  the masks of all texts at once, while the network computes
    striking.py  masks applied to logits on processors
    grammar.py   that in vLLM's words, and one vocabulary for all requests
    register.py  the entry point `vllm.general_plugins`: the places
    routes.py    the entry point `vllm.endpoint_plugins`: the model's tokens, for clients that write with them

docs/team.md says how to start it. Importing this imports nothing.
"""
