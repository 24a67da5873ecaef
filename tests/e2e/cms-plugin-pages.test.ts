import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { SESSION_COOKIE } from '@stoa/cms/credentials.ts'
import { inProcessPlugins } from '@stoa/cms/plugins/store/testing/in-process.ts'
import { installPlugin } from '@stoa/cms/plugins/store/testing/installed.ts'
import { browserTest } from '../lib/browser.ts'
import { type CmsService, type Person, startCms } from '../lib/cms.ts'

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Approve the plan</title>
<link rel="stylesheet" href="/ext/ui.css"><script type="module" src="../screens/page.js"></script></head>
<body><main class="stack">
  <h1>Plans to approve</h1>
  <div class="card stack">
    <h2>Summer campaign</h2><p class="muted">Due on 3 June <span class="badge">review</span></p>
    <label>What should change? <textarea></textarea></label>
    <label>Owner <select><option>Anna</option><option>Ben</option></select></label>
    <label><input type="checkbox"> Tell me when it is out</label>
    <label>Name <input placeholder="Your name"></label>
    <div class="row"><button class="primary">Approve</button><button>Request changes</button><button class="ghost">Later</button><button class="danger">Refuse</button></div>
  </div>
  <table><thead><tr><th>Network</th><th>Status</th></tr></thead><tbody><tr><td>Mastodon</td><td>Posted</td></tr></tbody></table>
  <p class="notice" role="alert">The link ends tomorrow.</p>
</main><p id="outcome"></p></body></html>`
const SCRIPT = `
const tried = async (act) => { try { return await act() } catch (error) { return error.name } }
const seen = {
  open: await tried(async () => (await fetch('/ext/approvals/open')).json()),
  closed: await tried(async () => (await fetch('/ext/approvals/closed')).status),
  api: await tried(async () => (await fetch('/api/auth/me', { credentials: 'include' })).status),
  cookie: await tried(() => document.cookie),
  storage: await tried(() => localStorage.length),
  origin: origin,
}
document.querySelector('#outcome').textContent = JSON.stringify(seen)
`

const plugins = inProcessPlugins()
let service: CmsService
let owner: Person
let callers: string[]
before(async () => {
  service = await startCms({ plugins, atPublicUrl: true })
  owner = await service.person('owner')
  const given = {
    name: 'approvals',
    permissions: ['content.read'],
    routes: [
      { method: 'GET', path: '/open', auth: 'public' },
      { method: 'GET', path: '/closed', auth: 'session', permission: 'content.read' },
    ],
    pages: [{ path: 'approve', file: 'screens/page.html' }],
  }
  const files = { 'screens/page.html': PAGE, 'screens/page.js': SCRIPT }
  callers = []
  plugins.set(await installPlugin(service.cms.services, given, { files }), ({ name, caller }) => {
    callers.push(`${name} ${caller.kind}`)
    return { plans: 3 }
  })
})
after(() => service.close())

describe('a public page of a plugin', () => {
  browserTest('reaches its public routes and nothing of whoever looks', { alone: true }, async (visit) => {
    await visit.context.addCookies([{ name: SESSION_COOKIE, value: owner.token, url: service.url }])
    await visit.page.goto(`${service.url}/ext/approvals/pages/approve`)
    const outcome = visit.page.locator('#outcome:not(:empty)')
    const seen = JSON.parse(await outcome.innerText())
    visit.expectProblem(/Content Security Policy/)
    visit.expectProblem(/csp: connect-src /)
    assert.deepEqual(seen, {
      open: { plans: 3 },
      closed: 'TypeError',
      api: 'TypeError',
      cookie: 'SecurityError',
      storage: 'SecurityError',
      origin: 'null',
    })
    assert.ok(callers.every((caller) => caller === 'GET /open visitor'))
    const font = () => visit.page.evaluate(async () => (await document.fonts.ready).check('14px "Inter Variable"'))
    assert.ok(await font())
    await visit.shot('plugin-page')
    await visit.axe()
  })
})
