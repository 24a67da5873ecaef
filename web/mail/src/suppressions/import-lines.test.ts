import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseCsv } from '@stoa/mail-model/csv.ts'
import fc from 'fast-check'
import { toCsv, toPlainField } from './csv.ts'
import { chunksOf, invalidFile, MAX_LINES, planImport } from './import-lines.ts'

describe('an import of suppressions', () => {
  test('finds the columns by their names, and says on which line something is wrong', () => {
    const plan = planImport(
      '\uFEFFid;Email Address;Reason\r\n1;Ada@Example.ORG;"moved; far\r\naway"\r\n2;nobody;\r\n3;ada@example.org;\r\n',
    )
    assert.deepEqual(plan, {
      ready: [{ line: 2, email: 'ada@example.org', reason: 'moved; far\r\naway' }],
      invalid: [{ line: 4, email: 'nobody', reason: '' }],
      repeated: 1,
      isCut: false,
    })
    assert.equal(invalidFile(plan.invalid), 'line,email,reason\r\n4,nobody,\r\n')
  })

  test('takes one address on each line', () => {
    const plan = planImport('a@example.org\n\n b@example.org \nc@bücher.example')
    assert.deepEqual(
      plan.ready.map(({ email, line }) => [line, email]),
      [
        [1, 'a@example.org'],
        [3, 'b@example.org'],
        [4, 'c@xn--bcher-kva.example'],
      ],
    )
  })

  test('is sent in parts that hold everything once', () => {
    const ready = Array.from({ length: 2_001 }, (_, line) => ({
      line,
      email: `p${line}@example.org`,
      reason: 'a "b", c',
    }))
    const chunks = chunksOf(ready)
    assert.deepEqual(
      chunks.map(({ count }) => count),
      [1_000, 1_000, 1],
    )
    const again = chunks.flatMap(({ csv }) => planImport(csv).ready)
    assert.deepEqual(
      again.map(({ email, reason }) => [email, reason]),
      ready.map(({ email, reason }) => [email, reason]),
    )
  })

  test('of nothing is nothing', () => {
    assert.deepEqual(planImport(''), { ready: [], invalid: [], repeated: 0, isCut: false })
    assert.deepEqual(chunksOf([]), [])
  })

  test('says when there are more lines than it read', () => {
    const list = 'a@example.org\n'.repeat(MAX_LINES)
    assert.equal(planImport(`${list}\n \n`).isCut, false)
    assert.equal(planImport(`${list}b@example.org`).isCut, true)
  })

  test('takes a stray quote for a letter, and goes on with the next line', () => {
    const plan = planImport(`"a@example.org\n${'b@example.org\n'.repeat(2_000)}c@example.org`)
    assert.deepEqual(
      plan.ready.map(({ email }) => email),
      ['b@example.org', 'c@example.org'],
    )
    assert.deepEqual(plan.invalid, [{ line: 1, email: '"a@example.org', reason: '' }])
  })

  test('gives back what was no address without formulas', () => {
    const { invalid } = planImport("email,reason\n=cmd|' /C calc'!A0,+1")
    assert.equal(invalidFile(invalid), "line,email,reason\r\n2,'=cmd|' /C calc'!A0,'+1\r\n")
  })
})

describe('comma-separated text', () => {
  test('comes back as it was written', () => {
    const field = fc.string().map((text) => text.trim())
    const row = fc.array(field, { minLength: 2, maxLength: 4 }).filter((fields) => fields.some((text) => text !== ''))
    fc.assert(
      fc.property(fc.array(row, { maxLength: 8 }), (rows) => {
        const written = toCsv([['a', 'b'], ...rows])
        assert.deepEqual(
          parseCsv(written, { maxRows: 100 }).rows.map(({ fields }) => fields),
          [['a', 'b'], ...rows],
        )
      }),
      { seed: 3, numRuns: 200 },
    )
  })

  test('is no formula', () => {
    assert.deepEqual(['=1+1', '@x', 'fine'].map(toPlainField), ["'=1+1", "'@x", 'fine'])
  })
})
