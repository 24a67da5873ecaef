import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { publishProviders } from '@stoa/mail-model/dns-providers/index.ts'
import { read, trackedFiles } from './tree.ts'

const HOMES = [
  'packages/mail-model/src/dns-providers/',
  'packages/kit/src/dns-zones/providers/',
  'packages/kit/src/dns-zones/testing/fakes/',
]
/** The example of a request in the API reference. */
const EXAMPLES = 'services/mail/src/panel/reference/examples.ts'

const isSource = (file: string) =>
  /^(packages\/(mail-model|kit)|services\/mail|web\/mail)\/.*(?<!\.test)\.tsx?$/.test(file)
const files = trackedFiles().filter(
  (file) => isSource(file) && file !== EXAMPLES && !HOMES.some((home) => file.startsWith(home)),
)

describe('another DNS provider', () => {
  test('needs its files and their lines: no code outside of its folders names a provider', () => {
    const named = new RegExp(`['"\`](?:${publishProviders.map(({ id, name }) => `${id}|${name}`).join('|')})['"\`]`)
    const found = files.flatMap((file) =>
      read(file)
        .split('\n')
        .filter((line) => named.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    )
    assert.ok(files.length > 500)
    assert.deepEqual(found, [])
  })
})
