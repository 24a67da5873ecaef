// The main file of undici also loads its own fetch, caches, proxies and mocks, which take 3 MB of every process. What is
// needed of it moves between its versions, and is named here only.
/// <reference path="./undici-parts.d.ts" />
import { request } from 'undici/lib/api/index.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'

export { default as errors } from 'undici/lib/core/errors.js'
export { default as Agent } from 'undici/lib/dispatcher/agent.js'
export { default as Client } from 'undici/lib/dispatcher/client.js'

// undici's main file does the same.
Object.assign(Dispatcher.prototype, { request })
