import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'

const WEB = join(import.meta.dirname, '..', '..', 'web')
/** Of all JavaScript that a page has to have before it shows anything, as it travels. */
const BUDGET_BYTES = 180_000

/** The scripts that the page names: its entry, and everything that it imports at once. */
const shellOf = (app: string): { file: string; source: Buffer }[] => {
  const dist = join(WEB, app, 'dist')
  assert.ok(existsSync(join(dist, 'index.html')), `web/${app} is not built: npm test builds it`)
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  const tags = page.match(/<(?:script|link)\b[^>]*>/g) ?? []
  const files = tags.flatMap((tag) => /(?:src|href)="__APP_BASE__([^"]+\.js)"/.exec(tag)?.[1] ?? [])
  return files.map((file) => ({ file, source: readFileSync(join(dist, file)) }))
}

for (const app of ['cms-admin', 'mail'])
  describe(`the shell of web/${app}`, () => {
    test('its JavaScript is within the budget', () => {
      const sizes = shellOf(app).map(({ file, source }) => ({ file, bytes: gzipSync(source).length }))
      const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
      assert.ok(sizes.length > 1, 'the page names no scripts')
      const largest = sizes.toSorted((a, b) => b.bytes - a.bytes).map(({ file, bytes }) => `${bytes} ${file}`)
      assert.ok(total <= BUDGET_BYTES, `${total} bytes gzip, ${BUDGET_BYTES} are allowed:\n${largest.join('\n')}`)
    })

    test('it holds no schema library: shapes are checked by the service, and by screens that need it', () => {
      assert.deepEqual(
        shellOf(app).flatMap(({ file, source }) => (source.includes('ZodError') ? [file] : [])),
        [],
      )
    })

    test('all of its documents begin with the same head', () => {
      const names = readdirSync(join(WEB, app, 'dist')).filter((name) => name.endsWith('.html'))
      const heads = names.map((name) => {
        const page = readFileSync(join(WEB, app, 'dist', name), 'utf8')
        assert.match(page, /<head>\s*<meta charset="utf-8">/, name)
        return (page.match(/<meta name="(?!csp-nonce|canvas-controller)[^>]*>/g) ?? []).join('\n')
      })
      assert.match(heads[0] ?? '', /name="viewport".*name="app-base" content="__APP_BASE__"/s)
      assert.equal(new Set(heads).size, 1, heads.join('\n\n'))
    })
  })
