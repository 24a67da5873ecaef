import assert from 'node:assert/strict'
import { cp } from 'node:fs/promises'
import { after, before, describe } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openPluginDir, type PluginDir } from '@stoa/cms/plugins/folder/testing/plugin-dir.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import type { FrameLocator, Page } from 'playwright-core'
import { type CmsService, type Person, startCms } from '../lib/cms.ts'
import { enterAs, goTo, navigationOf } from './cms-page.ts'
import { journey } from './journey.ts'
import { confirm, dialogOf, fits, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

const EXAMPLES = fileURLToPath(new URL('../../examples/plugins/', import.meta.url))

const frameOf = (page: Page, title: string): FrameLocator => page.frameLocator(`iframe[title="${title}"]`)

/** As an admin does it on the screen. */
const switchOn = async (page: Page): Promise<void> => {
  await page.getByLabel('Use this plugin').click()
  await confirm(page, 'Agree and turn on')
  await page.getByText('On', { exact: true }).waitFor()
}

/** Tries everything that a frame must not be able to do, and writes down what came of it. */
const HOSTILE = `
const tried = []
const attempt = async (name, act) => {
  try { tried.push(name + ': ' + String(await act())) } catch (error) { tried.push(name + ': refused') }
}
await attempt('cookies', () => document.cookie)
await attempt('storage', () => localStorage.length)
await attempt('parent document', () => parent.document.title)
await attempt('top location', () => { top.location.href = '/ext/hostile/screens/taken.html'; return 'went' })
await attempt('fetch', () => fetch('/api/auth/me').then((answer) => answer.status))
await attempt('popup', () => { if (open('/admin/') === null) throw new Error(); return 'opened' })
const form = document.createElement('form')
form.method = 'post'; form.action = '/api/auth/logout'
document.body.append(form)
await attempt('form', () => { form.submit(); return new Promise((done) => setTimeout(() => done('still here'), 200)) })
parent.postMessage({ stoa: 'hello', protocol: 1 }, '*')
const port = await new Promise((done) => addEventListener('message', ({ ports: [port] }) => done(port), { once: true }))
let last = 0
const waiting = new Map()
port.onmessage = ({ data }) => waiting.get(data.answer)?.(data)
const ask = (message) => new Promise((done) => { last += 1; waiting.set(last, done); port.postMessage({ ...message, id: last }) })
const request = async (path) => { const { value, error } = await ask({ ask: 'request', method: 'GET', path }); return error ? error.status : JSON.stringify(value) }
await attempt('own route', () => request('/own'))
await attempt('other plugin', () => request('/../other/own'))
await attempt('admin api', () => request('/../../api/users'))
document.querySelector('pre').textContent = tried.join('\\n')
document.querySelector('button').onclick = () => { for (let n = 0; n < 500; n += 1) port.postMessage({ tell: 'height', height: n }) }
`

/** What the browser says about it. */
const BLOCKED = [
  /Unsafe attempt to initiate navigation/,
  /Connecting to .* violates/,
  /Refused to connect/,
  /Blocked opening/,
  /^csp: connect-src/,
  /Sending form data to .* violates/,
  /^csp: form-action/,
]

describe('plugins in the admin', () => {
  let service: CmsService
  let admin: Person
  let plugins: PluginDir
  before(async () => {
    plugins = await openPluginDir()
    await cp(EXAMPLES, plugins.path, { recursive: true })
    const own = {
      routes: [{ method: 'GET', path: '/own', auth: 'session', permission: 'content.read' }],
    }
    const server = `export const routes = { 'GET /own': () => ({ own: true }) }`
    const html = (script: string) =>
      `<!doctype html><html lang="en"><title>t</title><body><pre></pre><button>Flood</button><script type="module" src="${script}"></script></body></html>`
    const screensOf = (id: string) => [{ id, label: id, file: `screens/${id}.html`, permission: 'content.read' }]
    await plugins.write(
      'hostile',
      { ...own, screens: [...screensOf('hostile'), ...screensOf('late')] },
      {
        'server.js': server,
        'screens/hostile.html': html('hostile.js'),
        'screens/hostile.js': HOSTILE,
        'screens/late.html': '<!doctype html><html lang="en"><title>t</title><p>Here I am</p></html>',
        'screens/taken.html': '<!doctype html><html lang="en"><title>taken</title><p>Taken</p></html>',
      },
    )
    await plugins.write('other', own, { 'server.js': server })
    service = await startCms({ background: true, atPublicUrl: true, env: { PLUGIN_DIR: plugins.path } })
    await service.claim()
    admin = await service.person('admin', { name: 'Ada Admin' })
    for (const name of ['hostile', 'other'])
      assert.equal((await admin.client.put(`/api/plugins/${name}/state`, { enabled: true })).status, 200)
    // The first call starts the sandbox, for which a busy machine takes longer than a plugin may
    await until(async () => (await admin.client.get('/ext/hostile/own')).status === 200, 'the plugin answers')
  })
  after(async () => {
    await service.close()
    await plugins.close()
  })

  journey('of an admin', {
    'one is agreed to, is set up, and shows its screens': async (visit) => {
      const { page } = visit
      await enterAs(visit, service, admin, '/plugins')
      await page.getByRole('link', { name: /Social plan/ }).waitFor()
      await look(visit, 'cms-plugins')
      await page.getByRole('link', { name: /Social plan/ }).click()
      await page.getByLabel('Use this plugin').click()
      await dialogOf(page).getByText('Write social posts').waitFor()
      await look(visit, 'cms-plugins-agree', 'dialog')
      await confirm(page, 'Cancel')
      assert.equal((await admin.client.get('/api/plugins/social-plan')).body.enabled, false)

      await switchOn(page)
      await look(visit, 'cms-plugins-one')
      await page.getByLabel('First stage').selectOption('writing')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText('Settings saved').waitFor()
      assert.ok((await navigationOf(page)).includes('Clients'))

      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Social plan' }).click()
      const screen = frameOf(page, 'Social plan')
      await screen.getByRole('button', { name: 'New plan' }).click()
      await screen.getByLabel('Title').fill('Harbour at night')
      await screen.getByLabel('Caption').fill('The harbour at night')
      await screen.getByRole('button', { name: 'Create plan' }).click()
      await screen.getByText('Harbour at night').first().waitFor()
      await visit.shot('cms-plugins-social-plan', { fullPage: true })
      await admin.client.post('/api/types', { name: 'boat', label: 'Boat', labelPlural: 'Boats' })
      const { body: boat } = await admin.client.post('/api/entries', { type: 'boat', title: 'The Heron' })
      await goTo(page, `/content/boat/${boat.id}`)
      await frameOf(page, 'Plan').getByText('No plans for this entry').waitFor()
      await visit.shot('cms-plugins-panel', { fullPage: true })
      const { items } = (await admin.client.get('/ext/social-plan/plans')).body
      assert.deepEqual(
        items.map(({ title, stage }: { title: string; stage: string }) => [title, stage]),
        [['Harbour at night', 'writing']],
      )
    },

    'its screens fit a phone in the dark': (visit) =>
      onPhoneInTheDark(visit, async () => {
        const { page } = visit
        await goTo(page, '/plugins/social-plan')
        await page.getByRole('heading', { name: 'Recent runs' }).waitFor()
        await fits(visit, 'cms-plugins-one-dark-390')
        await goTo(page, '/plugin/social-plan/plans')
        await frameOf(page, 'Social plan').getByText('Harbour at night').first().waitFor()
        await fits(visit, 'cms-plugins-social-plan-dark-390')
      }),

    'one that is off leaves nothing on the screens, and is uninstalled by its name': async ({ page }) => {
      await goTo(page, '/plugins/hello')
      // It asks for nothing, so that there is nothing to agree to
      await page.getByLabel('Use this plugin').click()
      await page.getByRole('link', { name: 'Open Hello' }).click()
      await frameOf(page, 'Hello').getByRole('heading', { name: 'Hello, Ada Admin' }).waitFor()
      await goTo(page, '/plugins/hello')
      await page.getByRole('button', { name: 'Uninstall' }).click()
      await dialogOf(page)
        .getByLabel(/to confirm/)
        .fill('hello')
      await confirm(page, 'Uninstall')
      await until(async () => !(await navigationOf(page)).includes('Hello'), 'its screen is gone')
      assert.equal((await admin.client.get('/api/plugins/hello')).body.installed, false)
      assert.equal((await admin.client.get('/ext/hello/hello')).status, 404)
    },

    'a hostile screen reaches nothing but its own routes, and is stopped when it floods': async (visit) => {
      const { page } = visit
      await goTo(page, '/plugin/hostile/hostile')
      const screen = frameOf(page, 'hostile')
      await screen.getByText('admin api').waitFor()
      assert.deepEqual((await screen.locator('pre').innerText()).split('\n'), [
        'cookies: refused',
        'storage: refused',
        'parent document: refused',
        'top location: refused',
        'fetch: refused',
        'popup: refused',
        'form: still here',
        'own route: {"own":true}',
        'other plugin: 404',
        'admin api: 404',
      ])
      for (const blocked of BLOCKED) visit.expectProblem(blocked)
      assert.match(page.url(), /\/admin\/plugin\/hostile\/hostile$/)
      assert.equal((await admin.client.get('/api/auth/me')).status, 200)
      await screen.getByRole('button', { name: 'Flood' }).click()
      await page.getByText('It sent too many messages.').waitFor()
      await visit.shot('cms-plugins-stopped')
      await page.getByRole('button', { name: 'Reload' }).click()
      await screen.getByText('admin api').waitFor()
      for (const blocked of BLOCKED) visit.expectProblem(blocked)
    },

    'one that does not answer is offered to be loaded again, and shown when it answers late': async ({ page }) => {
      await goTo(page, '/plugin/hostile/late')
      const notice = page.getByText(/isn't responding/)
      await notice.waitFor()
      await page.getByRole('button', { name: 'Reload' }).click()
      await notice.waitFor({ state: 'detached' })
      await notice.waitFor()
      const words = frameOf(page, 'late').getByText('Here I am')
      assert.equal(await words.isVisible(), false)
      await words.evaluate(() => parent.postMessage({ stoa: 'hello', protocol: 1 }, '*'))
      await words.waitFor()
      await notice.waitFor({ state: 'detached' })
    },
  })
})
