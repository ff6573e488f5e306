"""The names that JavaScript's hosts bring along: engines, browsers, workers, Node, and test runners.

`python -m tests.names.host_names --write` writes `host_names.json` and `host_types.json` from TypeScript's
libraries and Node. This module has names that no declaration lists: those of test runners, loaders and other
programs that run scripts, and types of widely used declarations. A name too many here is only never refused.
"""

from __future__ import annotations

import json
from importlib.resources import files

IN_EVERY_FUNCTION = "arguments undefined"
OF_LOADERS = (
    "require module exports __dirname __filename define System requirejs importScripts global GLOBAL root"
)
OF_TESTS = (
    "describe context it test specify expect assert suite setup teardown suiteSetup suiteTeardown"
    " before after beforeEach afterEach beforeAll afterAll xit xtest xdescribe xcontext xspecify fit"
    " ftest fdescribe pending fail spyOn spyOnProperty spyOnAllFunctions jasmine jest vi vitest bench"
    " expectTypeOf assertType cy Cypress chai sinon should QUnit browser page element by protractor"
    " inject driver $ $$ onTestFinished onTestFailed"
)
OF_PROGRAMS = (
    "$ $$ jQuery _ chrome browser safari opera Deno Bun ActiveXObject WScript Enumerator"
    " VBArray Components Services dump GM GM_addStyle GM_getValue GM_setValue"
    " GM_xmlhttpRequest unsafeWindow google angular ng Ember Meteor Backbone React ReactDOM"
    " Vue Polymer THREE d3 ko moment ga gtag dataLayer fbq readFile readUrl YUI Ext dojo"
    " dijit dojox goog MathJax Prism App Page Component getApp getCurrentPages wx my tt swan"
    " uni print load read readline quit java javax Java Packages JavaAdapter importPackage"
    " importClass sap jQuery3 defineProps defineEmits defineExpose defineOptions defineModel"
    " defineSlots withDefaults process Buffer setImmediate clearImmediate console gc"
    " drainJobQueue EventEmitter EdgeRuntime WebSocketPair HTMLRewriter caches Netlify"
    " awslambda GPUBufferUsage GPUColorWrite GPUMapMode GPUShaderStage GPUTextureUsage fetch"
    " attachEvent detachEvent alert confirm prompt event name status HermesInternal"
    " nativeFabricUIManager ErrorUtils performance queueMicrotask structuredClone globalThis"
)
OF_TYPINGS = (
    "NodeJS Buffer BufferEncoding NodeRequire NodeModule ImportMeta ImportMetaEnv JSX React ReactNode Express"
    " Mocha Chai CypressCommand WebdriverIO GeoJSON JQuery JQueryStatic JQueryXHR JQueryEventObject Electron"
    " Handlebars Phaser PIXI L Office Excel Word Outlook Twitch Stripe Paddle Shopify Cloudflare"
    " D1Database KVNamespace R2Bucket DurableObject DurableObjectNamespace DurableObjectState Fetcher"
    " ExecutionContext ScheduledEvent App PageLoad LayoutLoad svelteHTML svelte astroHTML AstroConfig"
)


def kept_names(name: str) -> frozenset[str]:
    return frozenset(json.loads((files("fim_lsp.declared") / name).read_text(encoding="utf-8")))


HOST_TYPES: frozenset[str] = kept_names("host_types.json") | frozenset(OF_TYPINGS.split())
HOST_NAMES: frozenset[str] = frozenset(
    (
        *kept_names("host_names.json"),
        *IN_EVERY_FUNCTION.split(),
        *OF_LOADERS.split(),
        *OF_TESTS.split(),
        *OF_PROGRAMS.split(),
    )
)
