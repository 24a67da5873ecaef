import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import type { Credentials, Zone } from '@stoa/kit/dns-zones/adapter.ts'
import { startFakeProvider } from '@stoa/kit/dns-zones/testing/fake-provider.ts'
import { createWebhookWorker } from '@stoa/kit/webhooks/worker.ts'
import type { ImapCommand } from '@stoa/mail/doors/imap/command.ts'
import { COMMANDS } from '@stoa/mail/doors/imap/commands/index.ts'
import { startImapGround } from '@stoa/mail/doors/imap/testing/ground.ts'
import { MAILBOX_PASSWORD } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { startFakeWebhook } from '../lib/fake-webhook.ts'
import { openWebhookGround } from '../lib/webhook-ground.ts'
import { temporaryFolder } from './processes.ts'

const root = join(import.meta.dirname, '../..')
const MODEL = 'packages/mail-model/src/dns-providers'
const ADAPTERS = 'packages/kit/src/dns-zones/providers'
const FAKES = 'packages/kit/src/dns-zones/testing/fakes'
const ADDRESSES = 'services/mail/src/hosting/addresses'
const COMMAND = 'services/mail/src/doors/imap/commands/language.ts'

/** What a section of CONTRIBUTING.md shows, by the paths of the files. */
const shownIn = (title: string): Map<string, string> => {
  const [, section = ''] = fs.readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split(`## ${title}\n`)
  const blocks = (section.split('\n## ')[0] ?? '').matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g)
  return new Map([...blocks].map(([, path = '', code = '']) => [path, code]))
}

/** A folder beside the repository: what is written there imports from the repository whatever is not written yet. */
const besideRepository = () => {
  const folder = temporaryFolder({ after })
  fs.symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  fs.writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const write = (path: string, code: string): string => {
    const target = join(folder, path)
    const linked = code.replaceAll(/(?<=from ')(?:\.|@stoa\/)[^']+/g, (name) => {
      const isRelative = name.startsWith('.')
      const file = isRelative ? join(dirname(path), name) : name.replace(/^@stoa\/([^/]+)/, 'packages/$1/src')
      return fs.existsSync(join(folder, file)) ? join(folder, file) : isRelative ? join(root, file) : name
    })
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
/** The same for an event, which is a line only. */
const declare = (code: string, line: string): string => code.replace(/Events = \{\n/, (begin) => begin + line)

const { write, compile } = besideRepository()
const read = (path: string): string => fs.readFileSync(join(root, path), 'utf8')
const copy = (path: string): string => write(path, read(path))

const providerFiles = shownIn('Add a DNS provider')
for (const [path, code] of providerFiles) write(path, code)
write(join(MODEL, 'index.ts'), register(read(join(MODEL, 'index.ts')), 'acme'))
const [withoutAdapter = '', withoutFake = ''] = [ADAPTERS, FAKES].map((folder) =>
  write(join(folder, 'missing.ts'), read(join(folder, 'index.ts'))),
)
const [, fakes = ''] = [ADAPTERS, FAKES].map((folder) =>
  write(join(folder, 'index.ts'), register(read(join(folder, 'index.ts')), 'acme')),
)
const settings = copy('packages/kit/src/config/dns-apis.ts')
const zones = copy('packages/kit/src/dns-zones/find-zone.ts')

const eventLines = shownIn('Add a webhook event')
const RENAMED = 'address.renamed'
const sender = `import type { Tx } from '@stoa/kit/db/database.ts'
import type { Address } from '@stoa/mail-model/addresses.ts'
import type { Tables } from '../../tables.ts'
import { recordEvent } from '../webhook-events/webhook-events.ts'
export const recordRenaming = (tx: Tx<Tables>, accountId: string, data: Address, now: Date): Promise<void> =>
  recordEvent(tx, accountId, { type: '${RENAMED}', data }, now)
`
const undeclared = write(join(ADDRESSES, 'undeclared.ts'), sender)
for (const [path, line] of eventLines) write(path, declare(read(path), line))
const mailEvents = copy('packages/mail-model/src/webhook-events.ts')
copy('services/mail/src/hosting/webhook-events/webhook-events.ts')
const declared = write(join(ADDRESSES, 'declared.ts'), sender)
const requests = copy('packages/mail-model/src/webhooks.ts')
const manifest = copy('packages/cms-model/src/plugin-manifest.ts')
const [mailScreen, cmsScreen] = ['mail', 'cms-admin'].map((name) => copy(`web/${name}/src/webhooks/events.ts`))
const docs = copy('scripts/doc-tables.ts')

const [[commandPath, commandCode] = ['', '']] = shownIn('Add an IMAP command')
const command = write(commandPath, commandCode)

test('what CONTRIBUTING.md shows compiles, and the compiler misses what is used without its line', () => {
  assert.deepEqual(
    [...providerFiles.keys(), ...eventLines.keys(), commandPath],
    [
      ...[MODEL, ADAPTERS, FAKES].map((folder) => join(folder, 'acme.ts')),
      'packages/mail-model/src/webhook-events/address.ts',
      'packages/cms-model/src/webhook-events.ts',
      COMMAND,
    ],
  )
  const used = [fakes, zones, settings, declared, requests, manifest, docs, command]
  const errors = compile([...used, withoutAdapter, withoutFake, undeclared])
  assert.equal(errors.length, 3, errors.join('\n'))
  for (const [file, missed] of [
    [ADAPTERS, "'acme' is missing"],
    [FAKES, "'acme' is missing"],
    [join(ADDRESSES, 'undeclared.ts'), `'"${RENAMED}"' is not assignable`],
  ] as const)
    assert.ok(
      errors.some((error) => error.includes(file) && error.includes(missed)),
      errors.join('\n'),
    )
})

test('a DNS provider is added as CONTRIBUTING.md says, and is published to at its fake', async (t) => {
  const { acme } = (await import(fakes)).fakes
  const { findZone } = await import(zones)
  const { dnsVariables, readDnsApiBases } = await import(settings)
  const { zone, problems, url, close } = await startFakeProvider(acme)
  t.after(close)
  zone.name = 'example.com'
  zone.add({ fqdn: 'example.com', type: 'MX', data: '5 mx.elsewhere.com' })
  assert.ok('DNS_API_BASE_ACME' in dnsVariables)
  const dnsApiBases = readDnsApiBases({ DNS_API_BASE_ACME: url })
  const open = (credentials: Credentials): Promise<Zone | null> =>
    findZone({ dnsApiBases, dnsResolvers: [] }, 'acme', { credentials, domain: 'mail.example.com' })
  await assert.rejects(open(acme.bad), /rejected the credentials/)
  const opened = (await open(acme.good)) ?? assert.fail('the zone is not found')
  const before = await opened.records()
  const data = { value: 'mx.elsewhere.com', priority: 5, weight: null, port: null }
  assert.deepEqual([opened.name, before], ['example.com', [{ ...data, id: '', fqdn: 'example.com', type: 'MX' }]])
  const host = { ...data, value: 'mx.example.com' }
  const key = { value: `v=DKIM1; p=${'k'.repeat(300)}`, priority: null, weight: null, port: null }
  const outcomes = await opened.write([
    { fqdn: 'example.com', type: 'MX', before, after: [host] },
    { fqdn: 'a._domainkey.example.com', type: 'TXT', before: [], after: [key] },
    { fqdn: '_imaps._tcp.example.com', type: 'SRV', before: [], after: [{ ...host, weight: 1, port: 993 }] },
  ])
  assert.deepEqual([outcomes, problems], [[null, null, null], []])
  assert.deepEqual(
    zone.rows.map((row) => [row.fqdn, row.type, row.data]),
    [
      ['example.com', 'MX', '5 mx.example.com'],
      ['a._domainkey.example.com', 'TXT', key.value],
      ['_imaps._tcp.example.com', 'SRV', '5 1 993 mx.example.com'],
    ],
  )
})

test('a webhook event is added as CONTRIBUTING.md says: routes, settings and documentation have it', async () => {
  const { webhookInput } = await import(requests)
  const { pluginEvents } = await import(manifest)
  const { docTables } = await import(docs)
  const endpoint = { endpoint: 'https://example.com/hook', events: [RENAMED], description: null }
  assert.deepEqual(webhookInput.parse(endpoint).events, [RENAMED])
  assert.ok(pluginEvents.includes('media.replaced'))
  for (const [screen = '', group, event, page, when] of [
    [mailScreen, 'Addresses', { name: RENAMED, label: 'Renamed' }, 'mail-webhooks', 'The display name'],
    [cmsScreen, 'Media', { name: 'media.replaced', label: 'Replaced' }, 'webhooks', 'The content of a file'],
  ] as const) {
    const { eventGroups }: { eventGroups: { label: string; events: object[] }[] } = await import(screen)
    assert.partialDeepStrictEqual(eventGroups.find(({ label }) => label === group)?.events, [event])
    const rows: string[][] = docTables[`docs/${page}.md`].rows
    assert.ok(
      rows.some(([name, text]) => name === `\`${event.name}\`` && text?.startsWith(when)),
      page,
    )
  }
})

test('a webhook event that is added as CONTRIBUTING.md says is delivered to who listens for it', async (t) => {
  const { webhookEvents } = await import(mailEvents)
  const { recordRenaming } = await import(declared)
  const ground = await openWebhookGround()
  t.after(ground.close)
  const hook = await startFakeWebhook({ now: ground.clock.now })
  t.after(hook.close)
  const { id: webhookId, secret } = await ground.endpoint({ url: hook.url, events: [RENAMED] })
  await ground.endpoint({ url: `${hook.url}/others`, events: ['address.updated'] })
  hook.trust(secret)
  const now = ground.clock.now()
  const data = webhookEvents[RENAMED].sample({ webhookId, at: now.toISOString() })
  await ground.database.tx((tx) => recordRenaming(tx, 'one', data, now))
  await createWebhookWorker(ground.context()).runDue()
  assert.deepEqual(
    hook.received.map(({ json }) => json),
    [{ type: RENAMED, created_at: now.toISOString(), data }],
  )
  assert.deepEqual(hook.problems, [])
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
