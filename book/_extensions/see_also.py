"""Link the names in *See Also* sections, which docstrings write without their modules."""

from sphinx.util.nodes import make_refnode


def setup(app):
    """Register the extension with Sphinx."""
    app.connect("missing-reference", link_by_last_name)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def link_by_last_name(app, env, node, content):
    """Return a link to the only documented function, class or else member of this name."""
    if (node["refdomain"], node.get("reftype")) != ("py", "obj"):
        return None
    target = node["reftarget"].removeprefix("pareto_core.").removeprefix("pareto_lab.")
    found = env.domains["py"].find_obj(env, None, None, target, None, searchmode=1)
    found = [each for each in found if each[1].objtype in ("function", "class")] or found
    if len({entry.node_id for _, entry in found}) != 1:  # a name may be listed twice
        return None
    (name, entry), *_ = found
    return make_refnode(app.builder, node["refdoc"], entry.docname, entry.node_id, content, name)
