import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { translateDatabaseError } from './db/errors.ts'
import { createLogger, type Log } from './log.ts'
import { isSensitiveKey, redact, redactText } from './redact.ts'
import { Secret } from './secret.ts'

const capture = (pretty = false): { log: Log; lines: string[]; last(): Record<string, unknown> } => {
  const lines: string[] = []
  const log = createLogger({ name: 'test', level: 'trace', pretty, destination: { write: (line) => lines.push(line) } })
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '') }
}

describe('a log line', () => {
  test('is one JSON object with level, UTC time, name and message', () => {
    const { log, lines, last } = capture()
    log.info({ port: 4300 }, 'listening')
    assert.equal(lines.length, 1)
    assert.match(lines[0]!, /^\{.*\}\n$/)
    const { level, time, name, msg, port } = last()
    assert.deepEqual({ level, name, msg, port }, { level: 'info', name: 'test', msg: 'listening', port: 4300 })
    assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  test('cannot be forged by line breaks in a message, a value or a name', () => {
    const { log, lines } = capture()
    const forged = 'x\r\n{"level":"fatal","msg":"forged"}\u2028\n'
    log.info({ [forged]: forged }, forged)
    log.child({ [forged]: forged }).warn(forged)
    log.error(new Error(forged))
    assert.equal(lines.length, 3)
    for (const line of lines) assert.equal(line.trimEnd().split(/\r|\n/).length, 1)
  })

  test('of an outage that ends by itself is a warning with its reason, and without a stack', () => {
    const { log, lines, last } = capture()
    const cut = Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' })
    for (const err of [cut, translateDatabaseError(cut), new Error('Connection terminated unexpectedly')]) {
      log.error({ err, id: 7 }, 'mail could not be read')
      const { level, msg, id, reason } = last()
      assert.deepEqual([level, msg, id], ['warn', 'mail could not be read', 7])
      assert.match(String(reason), /terminat/)
      assert.doesNotMatch(lines.at(-1) ?? '', /stack|\bat /)
    }
    log.error({ err: new Error('a bug') }, 'broken')
    assert.equal(last().level, 'error')
    assert.match(lines.at(-1) ?? '', /stack/)
  })

  test('below the level is not written', () => {
    const lines: string[] = []
    const log = createLogger({ name: 'test', level: 'warn', destination: { write: (line) => lines.push(line) } })
    log.info('no')
    log.warn('yes')
    assert.equal(lines.length, 1)
  })

  test('carries an error with its causes and members, masked', () => {
    const { log, last } = capture()
    const cause = Object.assign(new Error('connect postgres://app:hunter2@db/x failed'), {
      password: 'hunter2',
      code: 7,
    })
    log.error(new Error('outer', { cause }))
    const { err, msg } = last()
    assert.equal(msg, 'outer')
    assert.ok(typeof err === 'object' && err !== null && 'cause' in err && 'stack' in err)
    const text = JSON.stringify(err)
    assert.ok(text.includes('connect postgres://app:[redacted]@db/x failed'))
    assert.ok(text.includes('"code":7'))
    assert.ok(!text.includes('hunter2'))
  })
})

describe('redaction', () => {
  test('masks secrets by type and by member name at any depth, in every place a value can be logged', () => {
    const { log, lines } = capture()
    const planted = 'planted-8f3a'
    const names = [
      'authorization',
      'Authorization',
      'proxy-authorization',
      'cookie',
      'set-cookie',
      'Set-Cookie',
      'password',
      'currentPassword',
      'password_hash',
      'token',
      'accessToken',
      'refresh_token',
      'secret',
      'SECRET',
      'clientSecret',
      'x-api-key',
      'X-Api-Key',
      'apiKey',
      'privateKey',
      'OBJECT_SECRET_KEY',
      'ticket',
    ]
    for (const name of names) {
      log.info({ [name]: planted }, 'top')
      log.info({ a: [{ b: { c: { [name]: [planted] } } }] }, 'deep')
      log.info({ map: new Map([[name, planted]]) }, 'map')
      log.info('text %o and %j', { [name]: planted }, { [name]: planted })
      log.child({ [name]: planted, nested: { [name]: planted } }).info('child')
      log.error(Object.assign(new Error('x'), { [name]: planted }))
    }
    const child = log.child({})
    child.setBindings({ password: planted })
    child.info('bound later')
    log.info({ value: new Secret(planted), list: [new Secret(planted)] }, `secret ${new Secret(planted)}`)
    log.info('secret %s %o %j', new Secret(planted), new Secret(planted), new Secret(planted))
    assert.equal(lines.length, names.length * 6 + 3)
    for (const line of lines) assert.ok(!line.includes(planted), line)
  })

  test('keeps what is not secret', () => {
    const { log, last } = capture()
    log.info({ inputTokens: 12, hasPassword: true, token: null, tokenizer: 'simple', keyword: 'a', path: '/a?page=2' })
    const { inputTokens, hasPassword, token, tokenizer, keyword, path } = last()
    assert.deepEqual(
      { inputTokens, hasPassword, token, tokenizer, keyword, path },
      { inputTokens: 12, hasPassword: true, token: null, tokenizer: 'simple', keyword: 'a', path: '/a?page=2' },
    )
    assert.equal(isSensitiveKey('monkey'), false)
  })

  test('masks credentials inside URLs', () => {
    const cases = [
      ['/realtime?ticket=abc', '/realtime?ticket=[redacted]'],
      ['/blog/x?a=1&preview=abc#top', '/blog/x?a=1&preview=[redacted]#top'],
      ['https://h/cb?code=abc&state=xyz', 'https://h/cb?code=[redacted]&state=[redacted]'],
      ['https://h/?access_token=a.b-c&x=1', 'https://h/?access_token=[redacted]&x=1'],
      ['https://h/?X-Amz-Signature=aa', 'https://h/?X-Amz-Signature=[redacted]'],
      ['smtp://user:p%40ss@host:25', 'smtp://user:[redacted]@host:25'],
      [
        'see https://h/?token=a and https://h/?TOKEN=b',
        'see https://h/?token=[redacted] and https://h/?TOKEN=[redacted]',
      ],
      ['https://h:8080/path@x', 'https://h:8080/path@x'],
      ['plain text with token = words', 'plain text with token = words'],
    ]
    for (const [input, output] of cases) assert.equal(redactText(input!), output)
    const { log, last } = capture()
    log.info({ url: '/x?token=abc', where: new URL('https://h/?ticket=1') }, 'GET /x?token=abc')
    assert.deepEqual(
      [last().url, last().where, last().msg],
      ['/x?token=[redacted]', 'https://h/?ticket=[redacted]', 'GET /x?token=[redacted]'],
    )
  })

  test('shows a request as method and URL, never its headers', () => {
    const { log, lines, last } = capture()
    const request = new IncomingMessage(new Socket())
    request.method = 'GET'
    request.url = '/x?ticket=abc'
    request.headers = { cookie: 'planted' }
    log.info({ req: request }, 'in')
    assert.deepEqual(last().req, { method: 'GET', url: '/x?ticket=[redacted]' })
    log.info(request)
    for (const line of lines) assert.ok(!line.includes('planted'))
  })

  test('is bounded: cycles, depth, width, length and bytes', () => {
    const { log, lines } = capture()
    const cycle: Record<string, unknown> = { bytes: Buffer.from('planted'), big: 10n }
    cycle.self = cycle
    log.info({ cycle, wide: Array.from({ length: 5000 }, (_, index) => index), long: 'x'.repeat(100_000) })
    assert.ok(lines[0]!.length < 20_000, String(lines[0]!.length))
    assert.ok(lines[0]!.includes('[7 bytes]'))
    assert.ok(!lines[0]!.includes('planted'))
  })

  test('does not touch the object that was logged', () => {
    const { log } = capture()
    const value = { password: 'p', nested: { token: 't' } }
    log.info(value, 'x')
    assert.deepEqual(value, { password: 'p', nested: { token: 't' } })
  })

  test('never throws and gives serialisable output for anything (500 random values)', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withMap: true, withSet: true, withDate: true }), (value) => {
        JSON.stringify(redact(value))
      }),
      { seed: 7, numRuns: 500 },
    )
  })

  test('takes linear time on hostile text', () => {
    for (const text of [
      '?a'.repeat(50_000),
      '://'.repeat(40_000),
      `?${'a_'.repeat(50_000)}`,
      '?token'.repeat(20_000),
    ]) {
      const start = process.cpuUsage()
      redactText(text)
      assert.ok(process.cpuUsage(start).user < 200_000)
    }
  })
})

describe('pretty output', () => {
  test('is a short line for people with the members after the message', () => {
    const { log, lines } = capture(true)
    log.info({ port: 4300 }, 'listening')
    assert.match(lines[0]!, /^\d\d:\d\d:\d\d .*INFO.* test listening port=4300\n$/)
  })

  test('cannot be forged by control characters', () => {
    const { log, lines } = capture(true)
    log.info({ a: 'x\r\ny' }, 'one\n\u001b[2Jtwo\u009b')
    assert.equal(lines[0]!.split('\n').length, 2)
    assert.ok(lines[0]!.includes('one\\u000a\\u001b[2Jtwo\\u009b'))
  })

  test('shows the stack of an error', () => {
    const { log, lines } = capture(true)
    log.error(new Error('broken'))
    assert.match(lines[0]!, /test broken\n {4}Error: broken\n {8}at /)
  })
})
