/** Where the plugin's editor finds this package: its sources by a path, or installed by its name. */
export type Home = { path: string; isInstalled: boolean }

/** The files of a new plugin. */
export const templateFiles = (name: string, home: Home): Record<string, string> => ({
  'plugin.json': manifest(name, home),
  'tsconfig.json': tsconfig(home),
  'README.md': readme(name),
  'src/server.ts': SERVER,
  'src/note-text.ts': NOTE_TEXT,
  'src/screens/notes.ts': SCREEN,
  'screens/notes.html': page(labelOf(name)),
})

const labelOf = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`.replaceAll('-', ' ')

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const manifest = (name: string, { path }: Home): string =>
  json({
    $schema: `${path}/manifest.schema.json`,
    name,
    label: labelOf(name),
    version: '0.1.0',
    description: 'Notes that everyone in the team can read and write.',
    api: 1,
    server: 'server.js',
    routes: [
      { method: 'GET', path: '/notes', auth: 'session', permission: 'content.read' },
      { method: 'POST', path: '/notes', auth: 'session', permission: 'content.read' },
      { method: 'DELETE', path: '/notes/:id', auth: 'session', permission: 'content.read' },
    ],
    collections: [{ name: 'notes', indexes: ['at'] }],
    screens: [
      { id: 'notes', label: labelOf(name), icon: 'notebook', file: 'screens/notes.html', permission: 'content.read' },
    ],
  })

const tsconfig = ({ path, isInstalled }: Home): string =>
  json({
    compilerOptions: {
      target: 'es2024',
      lib: ['es2024', 'dom', 'dom.iterable'],
      module: 'esnext',
      moduleResolution: 'bundler',
      types: isInstalled ? ['@stoa/cms-plugin/stoa'] : [],
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      ...(!isInstalled && {
        paths: {
          '@stoa/cms-plugin': [`${path}/src/cms-plugin.ts`],
          '@stoa/cms-plugin/bridge': [`${path}/src/bridge.ts`],
        },
      }),
    },
    include: ['src', ...(isInstalled ? [] : [`${path}/src/stoa.d.ts`])],
  })

const readme = (name: string): string => `# ${labelOf(name)}

A plugin for the Stoa CMS: notes that everyone in the team can read and write.

- \`plugin.json\`: what the plugin is called, what it asks for, and its routes and screens
- \`src/server.ts\`: the handlers, which run in the service's sandbox; built to \`server.js\`
- \`src/screens/\`: scripts of screens, which run in a frame of the admin; built to \`screens/*.js\`
- \`screens/\`: the pages themselves

After a change, in the folder of the Stoa repository:

\`\`\`sh
npm run cms:plugin -- build <this folder>
npm run cms:plugin -- check <this folder>
\`\`\`

Then choose Reload on the Plugins screen of the admin.
`

const SERVER = `import { clock, crypto, Problem, store } from 'stoa'
import type { Routes } from '@stoa/cms-plugin'
import { noteText } from './note-text.ts'

type Note = { text: string; author: string; at: string }

const notes = store<Note>('notes')

export const routes: Routes = {
  'GET /notes': async () => {
    const { items } = await notes.list({ sort: '-at', limit: 50 })
    return { items: items.map(({ id, value }) => ({ id, ...value })) }
  },

  'POST /notes': async ({ body, actor }) => {
    const text = noteText(body)
    if (text === null) throw new Problem(400, 'Enter a note of 1 to 500 characters')
    const id = await crypto.randomToken(16)
    await notes.put(id, { text, author: actor?.name ?? '', at: clock.now().toISOString() })
    return { id }
  },

  'DELETE /notes/:id': async ({ params }) => {
    await notes.delete(params.id ?? '')
  },
}
`

const NOTE_TEXT = `/** The text of a submitted note, or null if it isn't valid. */
export const noteText = (body: unknown): string | null => {
  if (typeof body !== 'object' || body === null || !('text' in body) || typeof body.text !== 'string') return null
  const text = body.text.trim()
  return text.length >= 1 && text.length <= 500 ? text : null
}
`

const SCREEN = `import { connect } from '@stoa/cms-plugin/bridge'

type Note = { id: string; text: string; author: string; at: string }

const stoa = await connect()
const form = document.querySelector('form')!
const input = document.querySelector('input')!
const list = document.querySelector('ul')!

const show = async (): Promise<void> => {
  const { items } = await stoa.request<{ items: Note[] }>('GET', '/notes')
  const time = new Intl.DateTimeFormat(stoa.context.locale, { dateStyle: 'medium', timeStyle: 'short' })
  list.replaceChildren(
    ...items.map(({ id, text, author, at }) => {
      const item = document.createElement('li')
      item.className = 'row'
      const words = document.createElement('span')
      words.textContent = text
      const from = document.createElement('small')
      from.className = 'muted'
      from.textContent = \`\${author}, \${time.format(new Date(at))}\`
      const remove = document.createElement('button')
      remove.textContent = 'Delete'
      remove.addEventListener('click', () => run(() => stoa.request('DELETE', \`/notes/\${id}\`), 'Note deleted'))
      item.append(words, from, remove)
      return item
    }),
  )
}

/** Does something, says how it went, and shows what is there now. */
const run = async (work: () => Promise<unknown>, done: string): Promise<void> => {
  try {
    await work()
    await stoa.toast(done, 'success')
    await show()
  } catch (error) {
    await stoa.toast(error instanceof Error ? error.message : String(error), 'error')
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  const text = input.value
  void run(async () => {
    await stoa.request('POST', '/notes', { text })
    form.reset()
  }, 'Note added')
})

await show()
`

const page = (label: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${label}</title>
    <link rel="stylesheet" href="/ext/ui.css">
  </head>
  <body>
    <main>
      <h1>${label}</h1>
      <form class="row">
        <label>New note <input name="text" maxlength="500" required></label>
        <button class="primary">Add note</button>
      </form>
      <ul></ul>
    </main>
    <script type="module" src="notes.js"></script>
  </body>
</html>
`
