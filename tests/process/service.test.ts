import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { bareEnvironment } from '../lib/bare-environment.ts'
import { startProgram } from './processes.ts'

const file = join(import.meta.dirname, 'fixtures/service.ts')
const run = (fault: string, env: NodeJS.ProcessEnv = {}) =>
  startProgram(process.execPath, [file, fault], { env: { ...bareEnvironment(), ...env } })

describe('a service process', () => {
  test('stops gracefully once, however many signals come, and not on the one that replaces workers', async () => {
    const service = run('')
    await service.prints(/Example: somewhere/)
    service.child.kill('SIGUSR2')
    service.child.kill('SIGINT')
    service.child.kill('SIGTERM')
    service.child.kill('SIGINT')
    assert.equal(await service.ends(), 0)
    assert.equal(service.output(), 'Example: somewhere\nstopped gracefully\n')
  })

  test('stops when the program that started it is gone', async () => {
    const service = fork(file, [], { execArgv: [], stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
    const output = text(service.stdout ?? Readable.from([]))
    const [message] = await once(service, 'message')
    assert.deepEqual(message, { type: 'ready', name: 'example', lines: [['Example', 'somewhere']] })
    service.disconnect()
    const [code] = await once(service, 'exit')
    assert.deepEqual([code, await output], [0, 'stopped gracefully\n'])
  })

  test('finishes a start under way before it stops', async () => {
    const service = fork(file, ['slow start'], { execArgv: [], stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
    service.disconnect()
    const [code] = await once(service, 'exit')
    assert.equal(code, 0)
  })

  test('says what is wrong with its configuration, without a stack', async () => {
    const service = run('config')
    assert.equal(await service.ends(), 1)
    assert.equal(service.output(), 'example: The configuration has a problem:\n  PORT: is missing\n')
  })

  test('says which port is taken', async (t) => {
    const other = createServer().listen(0, '127.0.0.1')
    t.after(() => other.close())
    await once(other, 'listening')
    const address = other.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    const service = run('port', { TAKEN_PORT: port })
    assert.equal(await service.ends(), 1)
    assert.match(service.output(), new RegExp(`^example: port ${port} is in use by another program`))
  })

  test('ends with 1 after an error that nobody handled, and hides passwords in it', async () => {
    const service = run('rejection')
    assert.equal(await service.ends(), 1)
    assert.match(service.output(), /example: Error: postgres:\/\/me:\[redacted\]@host is gone/)
    assert.doesNotMatch(service.output(), /hush/)
  })

  test('ends with 1 when it cannot stop', async () => {
    const service = run('stop')
    await service.prints(/Example/)
    service.child.kill('SIGTERM')
    assert.equal(await service.ends(), 1)
    assert.match(service.output(), /cannot stop/)
  })
})
