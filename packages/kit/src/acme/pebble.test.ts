import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFakeDns } from '@stoa/tests/lib/fake-dns.ts'
import { missingPebble, startPebble } from '@stoa/tests/lib/pebble.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { createAcmeGround, servedSerial } from './testing/ground.ts'

test('a real authority gives certificates for answers over HTTP and in DNS, and again when they are due; every process serves them by name', {
  skip: missingPebble(),
}, async (t) => {
  const ground = await createAcmeGround()
  t.after(() => ground.close())
  const dns = await startFakeDns()
  t.after(() => dns.close())
  const names = ['one.pebble.test', 'two.pebble.test']
  for (const name of names) dns.set(name, 'A', ['127.0.0.1'])
  const pebble = await startPebble({ challengePort: ground.challenges.port, dns: dns.address })
  t.after(() => pebble.close())
  const processes = [
    await ground.startProcess(pebble, { own: names, email: 'admin@pebble.test' }),
    await ground.startProcess(pebble, { own: names, email: 'admin@pebble.test' }),
  ]
  const runAll = () => Promise.all(processes.map(({ keeper }) => keeper.runDue()))
  await runAll()
  const failures = ground.logs.filter((line) => !line.includes('was ordered'))
  assert.deepEqual(failures, [])
  const ca = await pebble.root()
  const serialOf = (port: number, servername: string) => servedSerial(port, { servername, ca })
  for (const { port } of processes)
    for (const name of names) await until(() => serialOf(port, name).catch(() => null), `${name} is served`)

  const [row] = await ground.rows()
  const before = await Promise.all(processes.map(({ port }) => serialOf(port, names[0] ?? '')))
  assert.equal(new Set(before).size, 1)
  ground.clock.set(new Date(row.next_attempt_at))
  await runAll()
  for (const [at, { port }] of processes.entries())
    await until(async () => (await serialOf(port, names[0] ?? '')) !== before[at], 'the renewed one is served')

  // One of the operator's names that nobody asks over HTTP.
  const records: string[] = []
  const proven = await ground.startProcess(pebble, {
    own: ['three.pebble.test'],
    answerInDns: async (name, answer) => {
      const record = `_acme-challenge.${name}`
      records.push(record)
      dns.set(record, 'TXT', [answer])
      return async () => dns.remove(record)
    },
  })
  await proven.keeper.runDue()
  assert.deepEqual(records, ['_acme-challenge.three.pebble.test'])
  await until(() => serialOf(proven.port, 'three.pebble.test').catch(() => null), 'the name proven in DNS is served')
})
