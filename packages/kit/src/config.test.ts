import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inspect } from 'node:util'
import * as kinds from './config/kinds.ts'
import {
  ConfigError,
  type ConfigOf,
  defineConfig,
  describeConfig,
  type Env,
  loadConfig,
  type Variable,
} from './config.ts'
import type { Secret } from './secret.ts'

const doc = 'words'
const definition = defineConfig({
  NODE_ENV: kinds.nodeEnv({ doc }),
  SECRET: kinds.masterSecret({ doc: 'Signs sessions.' }),
  MAIL_PORT: kinds.port({ doc: 'Where to listen.', default: '4400', alias: ['PORT'] }),
  SMTP_PORT: kinds.optionalPort({ doc, default: '2025' }),
  RELAY_URL: kinds.secretUrl('smtp', 'smtps')({ doc }),
  OBJECT_BUCKET: kinds.text({ doc, required: 'production' }),
  TRUSTED_PROXIES: kinds.cidrList({ doc, default: '' }),
  HOSTNAME: kinds.host({ doc, defaultText: "the machine's name" }),
})
const good = { SECRET: 'x'.repeat(32), OBJECT_BUCKET: 'b' }
const load = (env: Env, alone = false) => loadConfig(definition, { env: { ...good, ...env }, alone })

const problemsOf = (run: () => unknown): Record<string, string> => {
  try {
    run()
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return Object.fromEntries(error.problems.map(({ name, problem }) => [name, problem]))
  }
  return {}
}

/** The value that one variable makes of a text, or 'refused'. */
const read = <T>(variable: Variable<T>, text: string): T | 'refused' => {
  const { success, data } = variable.schema.safeParse(text)
  return success ? data : 'refused'
}

describe('loading', () => {
  test('gives a frozen object with the names of the variables and their defaults', () => {
    const config: ConfigOf<typeof definition> = load({})
    assert.equal(config.MAIL_PORT, 4400)
    assert.equal(config.SMTP_PORT, 2025)
    assert.equal(config.NODE_ENV, 'development')
    assert.equal(config.RELAY_URL, undefined)
    assert.deepEqual(config.TRUSTED_PROXIES, [])
    assert.ok(Object.isFrozen(config) && Object.isFrozen(config.TRUSTED_PROXIES))
    const port: number = config.MAIL_PORT
    const relay: Secret | undefined = config.RELAY_URL
    assert.deepEqual([port, relay], [4400, undefined])
    // @ts-expect-error an optional variable may be undefined
    const certain: Secret = config.RELAY_URL
    assert.equal(certain, undefined)
  })

  test('reports all problems together, each with name, value and what to do', () => {
    const problems = problemsOf(() =>
      load({ MAIL_PORT: 'abc', SMTP_PORT: '70000', TRUSTED_PROXIES: '10.0.0.0/33', SECRET: '' }),
    )
    assert.deepEqual(Object.keys(problems).sort(), ['MAIL_PORT', 'SECRET', 'SMTP_PORT', 'TRUSTED_PROXIES'])
    assert.equal(problems.MAIL_PORT, '"abc" is invalid. Enter a port from 0 to 65535.')
    assert.equal(problems.SECRET, 'is missing. Set it: Signs sessions.')
  })

  test('the message of the error has one line for each problem', () => {
    assert.throws(
      () => load({ MAIL_PORT: 'a\nb', SMTP_PORT: 'x' }),
      (error) => {
        assert.ok(error instanceof ConfigError)
        assert.equal(error.message.split('\n').length, 3)
        assert.match(error.message, /^The configuration has 2 problems:\n {2}MAIL_PORT: "a\\nb" is invalid\. /)
        return true
      },
    )
  })

  test('the value of a secret variable is never in an error or in the object when printed', () => {
    const problems = problemsOf(() => load({ RELAY_URL: 'http://user:planted@host', SECRET: 'planted\u0007' }))
    assert.deepEqual(Object.keys(problems).sort(), ['RELAY_URL', 'SECRET'])
    assert.ok(!JSON.stringify(problems).includes('planted'))
    const printed = inspect(load({ RELAY_URL: 'smtp://user:planted@host' }), { depth: 9 })
    assert.ok(!printed.includes('planted') && !printed.includes('xxxx'))
    assert.equal(load({ RELAY_URL: 'smtp://user:planted@host' }).RELAY_URL?.reveal(), 'smtp://user:planted@host')
  })

  test('a password inside an ordinary address is not shown either', () => {
    const other = defineConfig({ ENDPOINT: kinds.url('https')({ doc }) })
    const problems = problemsOf(() => loadConfig(other, { env: { ENDPOINT: 'http://user:planted@host' } }))
    assert.match(problems.ENDPOINT ?? '', /user:\[redacted\]@host/)
  })

  test('an empty variable counts as absent, except where empty means off', () => {
    assert.equal(load({ MAIL_PORT: '' }).MAIL_PORT, 4400)
    assert.equal(load({ SMTP_PORT: '' }).SMTP_PORT, null)
    assert.equal(load({ SMTP_PORT: '0' }).SMTP_PORT, null)
    assert.equal(load({}).SMTP_PORT, 2025)
  })

  test('bare names count only for a service that is started alone, and the own name wins', () => {
    assert.equal(load({ PORT: '5000' }).MAIL_PORT, 4400)
    assert.equal(load({ PORT: '5000' }, true).MAIL_PORT, 5000)
    assert.equal(load({ PORT: '5000', MAIL_PORT: '6000' }, true).MAIL_PORT, 6000)
    assert.ok(problemsOf(() => load({ PORT: 'x' }, true)).PORT)
  })

  test('a default that is not a value is found when the definition is made', () => {
    assert.throws(() => defineConfig({ PORT: kinds.port({ doc, default: 'many' }) }), /default of PORT/)
  })
})

describe('production', () => {
  test('needs a SECRET of 32 characters; development takes a shorter one, nobody none', () => {
    assert.equal(load({ SECRET: 'short' }).SECRET.reveal(), 'short')
    const refused = problemsOf(() => load({ NODE_ENV: 'production', SECRET: 'planted'.repeat(4) }))
    assert.match(refused.SECRET ?? '', /too short for production\. Set at least 32 random/)
    assert.ok(!JSON.stringify(refused).includes('planted'))
    assert.ok(problemsOf(() => load({ NODE_ENV: 'production', SECRET: '' })).SECRET)
    assert.ok(problemsOf(() => load({ SECRET: '' })).SECRET)
    assert.equal(load({ NODE_ENV: 'production', SECRET: 'y'.repeat(32) }).SECRET.reveal(), 'y'.repeat(32))
  })

  test('needs what is required there only', () => {
    assert.equal(load({ OBJECT_BUCKET: '' }).OBJECT_BUCKET, undefined)
    assert.ok(problemsOf(() => load({ NODE_ENV: 'production', OBJECT_BUCKET: '' })).OBJECT_BUCKET)
  })

  test('an unknown NODE_ENV is refused and judged by the strict rules', () => {
    for (const value of ['prod', 'Production', 'staging', ' production', '__proto__']) {
      const problems = problemsOf(() => load({ NODE_ENV: value, SECRET: 'short' }))
      assert.match(problems.NODE_ENV ?? '', /development, test, production/)
      assert.ok(problems.SECRET, value)
    }
    assert.equal(load({ NODE_ENV: 'test' }).NODE_ENV, 'test')
    assert.equal(load({ NODE_ENV: '' }).NODE_ENV, 'development')
  })
})

describe('kinds', () => {
  const cases: [string, Variable<unknown>, Record<string, unknown>][] = [
    [
      'port',
      kinds.port({ doc }),
      { 0: 0, 25: 25, 65535: 65535, 65536: 'refused', '-1': 'refused', '1e3': 'refused', '2.5': 'refused' },
    ],
    [
      'boolean',
      kinds.boolean({ doc }),
      { true: true, FALSE: false, 1: true, off: false, maybe: 'refused', constructor: 'refused' },
    ],
    [
      'integer',
      kinds.integer({ min: -5, max: 10 })({ doc }),
      { 10: 10, '-5': -5, 11: 'refused', '0x1': 'refused', ' 7 ': 7 },
    ],
    [
      'bytes',
      kinds.bytes({ min: 1 })({ doc }),
      {
        26214400: 26214400,
        '25 MB': 26214400,
        '25mb': 26214400,
        '1KiB': 1024,
        '1.5 GB': 1610612736,
        0: 'refused',
        '5 XB': 'refused',
        MB: 'refused',
        '-1': 'refused',
        '100 b': 100,
      },
    ],
    [
      'origin',
      kinds.origin({ doc }),
      {
        'https://cms.example.com': 'https://cms.example.com',
        'https://CMS.example.com:443/': 'https://cms.example.com',
        'http://localhost:4300': 'http://localhost:4300',
        'https://münchen.example': 'https://xn--mnchen-3ya.example',
        'https://a.example/path': 'refused',
        'https://a.example?x': 'refused',
        'https://user@a.example': 'refused',
        'ftp://a.example': 'refused',
        'a.example': 'refused',
        null: 'refused',
        '*': 'refused',
      },
    ],
    [
      'url',
      kinds.url('https', 'http')({ doc }),
      {
        'https://a.example/x/': 'https://a.example/x',
        'javascript:alert(1)': 'refused',
        'https://': 'refused',
        'http:a': 'http://a',
      },
    ],
    ['list', kinds.list({ doc }), { '': [], 'a, b,,a': ['a', 'b'], 'a\nb': 'refused', [','.repeat(2000)]: 'refused' }],
    [
      'originList',
      kinds.originList({ doc }),
      {
        '': [],
        'https://a.example, http://b:1': ['https://a.example', 'http://b:1'],
        'https://a.example,nonsense': 'refused',
      },
    ],
    [
      'cidrList',
      kinds.cidrList({ doc }),
      {
        '10.0.0.0/8, 127.0.0.1,::1, fd00::/8': ['10.0.0.0/8', '127.0.0.1/32', '::1/128', 'fd00::/8'],
        '10.0.0.0/33': 'refused',
        '10.0/8': 'refused',
        '010.0.0.1': 'refused',
        '2130706433': 'refused',
        localhost: 'refused',
      },
    ],
    [
      'hostPortList',
      kinds.hostPortList({ defaultPort: 53 })({ doc }),
      {
        '10.0.0.1, ns.example:5353,[::1]:54,fe80::1': ['10.0.0.1:53', 'ns.example:5353', '[::1]:54', '[fe80::1]:53'],
        'ns.example:0': 'refused',
        'ns.example:70000': 'refused',
        'ns..example': 'refused',
        '[nonsense]:53': 'refused',
        'http://ns.example': 'refused',
      },
    ],
    ['oneOf', kinds.oneOf('open', 'closed')({ doc }), { open: 'open', Open: 'refused', '': 'refused' }],
    ['listOf', kinds.listOf('smtp', 'imap')({ doc }), { 'smtp,imap': ['smtp', 'imap'], 'smtp,pop': 'refused' }],
    [
      'path',
      kinds.path({ doc }),
      { '/var/lib/x/': '/var/lib/x', './data': `${process.cwd()}/data`, 'a\u0000b': 'refused' },
    ],
    [
      'text',
      kinds.text({ doc }),
      { 'any text': 'any text', 'two\nlines': 'refused', [`${'x'.repeat(4097)}`]: 'refused' },
    ],
    ['host', kinds.host({ doc }), { '0.0.0.0': '0.0.0.0', '::1': '::1', 'http://x': 'refused', 'a b': 'refused' }],
  ]
  for (const [name, variable, texts] of cases) {
    test(`${name} reads and refuses as it says`, () => {
      for (const [text, value] of Object.entries(texts))
        assert.deepEqual(read(variable, text), value, text.slice(0, 40))
    })
  }
})

describe('the reference', () => {
  test('has name, further names, default and words for each variable', () => {
    const described = describeConfig(definition)
    assert.deepEqual(
      described.map(({ name }) => name),
      Object.keys(definition),
    )
    const [, secret, port] = described
    assert.deepEqual(secret, { name: 'SECRET', alias: [], default: 'none', doc: 'Signs sessions.', isSecret: true })
    assert.deepEqual(port, {
      name: 'MAIL_PORT',
      alias: ['PORT'],
      default: '4400',
      doc: 'Where to listen.',
      isSecret: false,
    })
    assert.equal(described.at(-1)?.default, "the machine's name")
  })
})
