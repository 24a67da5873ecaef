import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { after, test } from 'node:test'
import type { OpenZone } from '@stoa/kit/dns-zones/adapter.ts'
import { createApi } from '@stoa/kit/dns-zones/api.ts'
import type { ImapCommand } from '@stoa/mail/doors/imap/command.ts'
import { COMMANDS } from '@stoa/mail/doors/imap/commands/index.ts'
import { startImapGround } from '@stoa/mail/doors/imap/testing/ground.ts'
import { MAILBOX_PASSWORD } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { temporaryFolder } from './processes.ts'

const root = join(import.meta.dirname, '../..')
const MODEL = 'packages/mail-model/src/dns-providers'
const ADAPTERS = 'packages/kit/src/dns-zones/providers'
const COMMAND = 'services/mail/src/doors/imap/commands/language.ts'

/** What a section of CONTRIBUTING.md shows, by the paths of the files. */
const shownIn = (title: string): Map<string, string> => {
  const [, section = ''] = fs.readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split(`## ${title}\n`)
  const blocks = (section.split('\n## ')[0] ?? '').matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g)
  return new Map([...blocks].map(([, path = '', code = '']) => [path, code]))
}

/** A folder beside the repository: what is written there imports from the repository whatever it does not have itself. */
const besideRepository = () => {
  const folder = temporaryFolder({ after })
  fs.symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  fs.writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const write = (path: string, code: string): string => {
    const target = join(folder, path)
    const from = (name: string): string => resolve(root, dirname(path), name)
    const isOwn = (file: string): boolean => fs.existsSync(join(folder, file.slice(root.length)))
    const linked = code.replaceAll(/from '(\.[^']+)'/g, (all, name: string) =>
      isOwn(from(name)) ? all : `from '${from(name)}'`,
    )
    fs.mkdirSync(dirname(target), { recursive: true })
    fs.writeFileSync(target, linked)
    return target
  }
  const compile = (files: readonly string[]): string[] => {
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { incremental: false, tsBuildInfoFile: null },
      files,
      include: [],
    }
    fs.writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const options = { cwd: folder, encoding: 'utf8' } as const
    const { stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], options)
    assert.equal(stderr, '')
    return stdout.split('\n').filter((line) => /error TS/.test(line))
  }
  return { write, compile }
}

/** Adds a member at the end of a registry: its import, and its line. */
const register = (code: string, name: string): string => {
  const [head = '', ...rest] = code.split('\n}')
  return [`import { ${name} } from './${name}.ts'\n${head}\n  ${name},`, ...rest].join('\n}')
}
const registry = (folder: string): string => fs.readFileSync(join(root, folder, 'index.ts'), 'utf8')

const { write, compile } = besideRepository()
const providerFiles = shownIn('Add a DNS provider')
const [, adapter = ''] = [...providerFiles].map(([path, code]) => write(path, code))
const model = write(join(MODEL, 'index.ts'), register(registry(MODEL), 'acme'))
const withModel = (code: string) => code.replace('@stoa/mail-model/dns-providers/index.ts', model)
const missing = write(join(ADAPTERS, 'missing.ts'), withModel(registry(ADAPTERS)))
const index = write(join(ADAPTERS, 'index.ts'), register(withModel(registry(ADAPTERS)), 'acme'))
const [[commandPath, commandCode] = ['', '']] = shownIn('Add an IMAP command')
const command = write(commandPath, commandCode)

test('what CONTRIBUTING.md shows compiles, and the compiler misses a provider where its line is not', () => {
  assert.deepEqual([...providerFiles.keys(), commandPath], [join(MODEL, 'acme.ts'), join(ADAPTERS, 'acme.ts'), COMMAND])
  const errors = compile([adapter, model, missing, index, command])
  assert.equal(errors.length, 1, errors.join('\n'))
  assert.match(errors[0] ?? '', /missing\.ts.*'acme' is missing/)
})

test('a DNS provider is added as CONTRIBUTING.md says', async (t) => {
  const written: string[] = []
  const server = createServer((request, response) => {
    const isTheirs = request.headers.authorization === 'Bearer good'
    const isZone = request.url?.startsWith('/zones/example.com/sets') === true
    written.push(...(request.method === 'PUT' ? [request.url ?? ''] : []))
    response.writeHead(!isTheirs ? 401 : isZone ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify([{ name: '@', type: 'MX', values: ['5 mx.elsewhere.com.'] }]))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const { acme }: { acme: OpenZone } = await import(adapter)
  const open = (token: string) => {
    const api = createApi({ base: `http://127.0.0.1:${port}`, isOwn: true, credentials: { token }, resolvers: [] })
    return acme(api, { token }, ['mail.example.com', 'example.com'])
  }
  await assert.rejects(open('bad'), /rejected the credentials/)
  const zone = (await open('good')) ?? assert.fail('the zone is not found')
  const mx = {
    fqdn: 'example.com',
    type: 'MX',
    value: 'mx.elsewhere.com',
    priority: 5,
    weight: null,
    port: null,
  } as const
  assert.deepEqual([zone.name, await zone.records()], ['example.com', [{ ...mx, id: '' }]])
  assert.deepEqual(await zone.write([{ fqdn: '_dmarc.example.com', type: 'TXT', before: [], after: [] }]), [null])
  assert.deepEqual(written, ['/zones/example.com/sets/_dmarc/TXT'])
})

test('an IMAP command is added as CONTRIBUTING.md says: its file and its line are all', async (t) => {
  const { language }: { language: ImapCommand } = await import(command)
  // The line in the registry, as long as this test runs.
  const registered = COMMANDS as Map<string, ImapCommand>
  registered.set(language.name, language)
  const ground = await startImapGround()
  t.after(async () => {
    registered.delete(language.name)
    await ground.close()
  })
  const anna = await ground.address()
  const client = await ground.connect()
  assert.match((await client.say('language en')).tagged, /BAD Sign in first/)
  await client.ok(`login ${anna.email} "${MAILBOX_PASSWORD}"`)
  assert.match((await client.ok('capability')).join(), / LANGUAGE( |$)/)
  assert.deepEqual(await client.ok('language fr en'), ['* LANGUAGE (EN)'])
  assert.match((await client.say('language fr')).tagged, /NO Only English/)
  assert.match((await client.say('language')).tagged, /BAD/)
})
