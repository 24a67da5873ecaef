import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ConfigError } from '../config.ts'
import { layerEnv, parseEnvText, readEnvFile } from './env-file.ts'

describe('a .env text', () => {
  test('is read line by line: bare, quoted, exported, commented', () => {
    const text = [
      '\ufeff# settings',
      'A=1',
      'export B=two words   ',
      '  C = "quoted # no comment" # a comment',
      "D='single $x \\n' # a comment",
      'E=pass#word=x',
      'F=value # a comment',
      'G=',
      'H=""',
      'I="line\\nnext \\"q\\" \\\\ \\$ \\z"',
      'J=# nothing',
      '',
      'lower_case=yes\r',
      "K=it's",
    ].join('\n')
    assert.deepEqual(parseEnvText(text), {
      A: '1',
      B: 'two words',
      C: 'quoted # no comment',
      D: 'single $x \\n',
      E: 'pass#word=x',
      F: 'value',
      G: '',
      H: '',
      I: 'line\nnext "q" \\ $ \\z',
      J: '',
      lower_case: 'yes',
      K: "it's",
    })
  })

  test('that is not understood names every bad line and shows no value', () => {
    const text = "A=1\nplanted\n1X=planted\n=planted\nB=\"planted\nC='planted' planted\nA=planted\nD=pl\u0000anted\n"
    assert.throws(
      () => parseEnvText(text, 'my.env'),
      (error) => {
        assert.ok(error instanceof ConfigError)
        assert.deepEqual(
          error.problems.map(({ name }) => name),
          [2, 3, 4, 5, 6, 7, 8].map((line) => `my.env line ${line}`),
        )
        return !error.message.includes('planted')
      },
    )
  })

  test('cannot touch the prototype', () => {
    const values = parseEnvText('__proto__=x\nconstructor=y')
    assert.deepEqual(Object.keys(values), ['__proto__', 'constructor'])
    assert.equal(Object.getPrototypeOf(values), Object.prototype)
  })

  test('gives back any value that was written in double quotes (200 random ones)', () => {
    const quote = (value: string) =>
      `"${value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}"`
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        if (value.includes('\u0000')) return
        assert.equal(parseEnvText(`X=${quote(value)} # c`).X, value)
      }),
      { seed: 21, numRuns: 200 },
    )
  })

  test('of any content ends with values or a ConfigError (500 random ones)', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('A', '=', '"', "'", '#', ' ', '\n', '\\', '\r', 'é') }), (text) => {
        try {
          parseEnvText(text)
        } catch (error) {
          assert.ok(error instanceof ConfigError)
        }
      }),
      { seed: 22, numRuns: 500 },
    )
    assert.throws(() => parseEnvText('#'.repeat(1_000_001)), ConfigError)
  })
})

describe('the file', () => {
  test('is read when there is one, an absent one is empty, an unreadable one is a problem', () => {
    const folder = mkdtempSync(join(tmpdir(), 'env-file-'))
    try {
      const file = join(folder, '.env')
      assert.deepEqual(readEnvFile(file), {})
      writeFileSync(file, 'A=1\n')
      assert.deepEqual(readEnvFile(file), { A: '1' })
      assert.throws(
        () => readEnvFile(folder),
        (error) => error instanceof ConfigError && /EISDIR/.test(error.message),
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('stands under the real environment, which wins even when it is empty', () => {
    const env = layerEnv({ A: 'real', B: '', C: undefined }, { A: 'file', B: 'file', C: 'file', D: 'file' })
    assert.deepEqual(env, { A: 'real', B: '', C: 'file', D: 'file' })
  })
})
