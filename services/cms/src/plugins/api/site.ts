import type { RouteCall } from '../../people/call-route/call-route.ts'
import type { Json } from '../sandbox/sandbox.ts'

type Args = readonly (Json | undefined)[]
type Meant = (...args: Args) => RouteCall

/** What each call means over HTTP: arguments and answers are those of the admin API. */
export const siteCalls: Readonly<Record<string, Readonly<Record<string, Meant>>>> = {
  content: {
    types: () => ({ method: 'GET', path: '/api/types' }),
    list: (query) => ({ method: 'GET', path: '/api/entries', query }),
    get: (id) => ({ method: 'GET', path: '/api/entries/:id', params: { id } }),
    create: (body) => ({ method: 'POST', path: '/api/entries', body }),
    update: (id, body, options) => ({
      method: 'PUT',
      path: '/api/entries/:id',
      params: { id },
      body,
      ...only(options),
    }),
    setStatus: (id, action, at) => ({
      method: 'POST',
      path: '/api/entries/:id/status',
      params: { id },
      body: members({ action, at }),
    }),
    remove: (id) => ({ method: 'DELETE', path: '/api/entries/:id', params: { id } }),
  },
  media: {
    list: (query) => ({ method: 'GET', path: '/api/media', query }),
    get: (id) => ({ method: 'GET', path: '/api/media/:id', params: { id } }),
    update: (id, body, options) => ({ method: 'PUT', path: '/api/media/:id', params: { id }, body, ...only(options) }),
  },
  taxonomies: {
    list: () => ({ method: 'GET', path: '/api/taxonomies' }),
    addTerm: (name, body) => ({ method: 'POST', path: '/api/taxonomies/:name/terms', params: { name }, body }),
  },
  menus: {
    list: () => ({ method: 'GET', path: '/api/menus' }),
    get: (name) => ({ method: 'GET', path: '/api/menus/:name', params: { name } }),
  },
  social: {
    // Accounts by themselves are for those who may connect them; the networks name those that can be posted to.
    accounts: () => ({ method: 'GET', path: '/api/social/networks' }),
    posts: (query) => ({ method: 'GET', path: '/api/social/posts', query }),
    getPost: (id) => ({ method: 'GET', path: '/api/social/posts/:id', params: { id } }),
    createPost: (body) => ({ method: 'POST', path: '/api/social/posts', body }),
    updatePost: (id, body, options) => ({
      method: 'PUT',
      path: '/api/social/posts/:id',
      params: { id },
      body,
      ...only(options),
    }),
    schedule: (id, at) => ({
      method: 'POST',
      path: '/api/social/posts/:id/schedule',
      params: { id },
      body: members({ at }),
    }),
    publish: (id) => ({ method: 'POST', path: '/api/social/posts/:id/publish', params: { id } }),
  },
  settings: { site: () => ({ method: 'GET', path: '/api/settings' }) },
}

/** Without those that were not given. */
const members = (given: Record<string, Json | undefined>): Json =>
  Object.fromEntries(Object.entries(given).filter((entry): entry is [string, Json] => entry[1] !== undefined))

/** `{ ifVersion }` of a write. */
const only = (options: Json | undefined): { ifVersion?: Json | undefined } => {
  if (typeof options !== 'object' || options === null || !('ifVersion' in options)) return {}
  return { ifVersion: options.ifVersion }
}
