import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { networks } from '@stoa/cms/social/networks/index.ts'
import { trackedFiles } from './tree.ts'

const HOME = 'services/cms/src/social/networks/'
const SOCIAL = ['services/cms/src/social/', 'services/cms/src/assistant/', 'web/cms-admin/src/social/']

/** Pictures of networks: one that is in neither has a plain sign, and the usual shape. */
const PICTURES = ['web/cms-admin/src/social/network-mark.tsx', 'web/cms-admin/src/social/composer/preview-facts.ts']

const isSource = (file: string) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/testing\//.test(file)
const files = trackedFiles().filter(
  (file) =>
    isSource(file) &&
    SOCIAL.some((folder) => file.startsWith(folder)) &&
    !file.startsWith(HOME) &&
    !PICTURES.includes(file),
)

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*$/gm, '')

describe('a tenth network', () => {
  test('needs a line in the registry: no code outside of its folder names a network', () => {
    const names = Object.keys(networks)
    const long = names.filter((name) => name.length > 2).join('|')
    const short = names.filter((name) => name.length <= 2).join('|')
    // A short name is a word of its own in code, and a name only in quotes.
    const named = new RegExp(`\\b(?:${long})\\b|(['"\`])(?:${short})\\1`, 'i')
    const found = files.flatMap((file) =>
      withoutComments(readFileSync(file, 'utf8'))
        .split('\n')
        .filter((line) => named.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    )
    assert.ok(files.length > 50)
    assert.deepEqual(found, [])
  })

  test('is one line of the registry, and one of the stand-ins', () => {
    for (const file of [`${HOME}index.ts`, 'tests/lib/social/index.ts']) {
      const lines = readFileSync(file, 'utf8').split('\n')
      for (const name of Object.keys(networks)) {
        const entries = lines.filter((line) => new RegExp(`^  ${name}(: .*)?,$`).test(line))
        assert.equal(entries.length, 1, `${name} in ${file}`)
      }
    }
  })
})
