import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operandOf, opsOf } from '@stoa/cms-model/delivery/operands.ts'
import { type FieldInput, fieldList } from '@stoa/cms-model/fields/field.ts'
import { fieldTypeNames } from '@stoa/cms-model/fields/types/index.ts'
import {
  askables,
  askedBy,
  conditionOf,
  conditionWords,
  parametersOf,
  questionsFor,
  readConditions,
  writeConditions,
} from './conditions.ts'

const options = [{ value: 'calm', label: 'Calm sea' }]
const special: Record<string, object> = {
  select: { options },
  multiselect: { options },
  reference: { to: 'page' },
  list: { fields: [{ key: 'n', type: 'number' }] },
}
const fields = fieldList.parse(
  fieldTypeNames.map((type) => ({ key: `own${type}`, type, ...special[type] }) as FieldInput),
)

describe('conditions on fields', () => {
  test('go into the address and back, whatever is typed', () => {
    const conditions = [
      { key: 'data.owntext', op: 'contains', value: 'a;b:c%3B 50%' },
      { key: 'data.ownnumber', op: 'gte', value: '10' },
    ] as const
    assert.deepEqual(readConditions(writeConditions(conditions), fields), conditions)
    assert.deepEqual(parametersOf(conditions), {
      'filter[data.owntext][contains]': 'a;b:c%3B 50%',
      'filter[data.ownnumber][gte]': '10',
    })
  })

  test('what is no condition, or not one of the type, is left out; the same is asked once', () => {
    assert.deepEqual(readConditions('x;;a:b;data.gone:eq:1;data.ownnumber:like:1;ownjson:eq:1', fields), [])
    assert.deepEqual(readConditions('data.gone:eq:1', null), [{ key: 'data.gone', op: 'eq', value: '1' }])
    const twice = readConditions('ownnumber:eq:1;ownnumber:eq:2', fields)
    assert.deepEqual(twice, [{ key: 'ownnumber', op: 'eq', value: '2' }])
    assert.equal(readConditions(Array.from({ length: 30 }, (_, at) => `k${at}:eq:1`).join(';'), null).length, 20)
  })

  test('every kind of field can be asked for, and the service takes every question', () => {
    const known = { fields, fieldsOf: () => [], seen: 'all' as const }
    for (const askable of askables(fields))
      for (const question of questionsFor(askable.field)) {
        const condition = conditionOf({ askable, question, value: 'calm' })
        const operand = operandOf(condition.key, known)
        assert.ok(operand && opsOf(operand).includes(condition.op), `${askable.key} ${question.id}`)
        assert.deepEqual(askedBy(condition, fields)?.question, question)
      }
    assert.deepEqual(new Set(askables(fields).map(({ field }) => field.type)).size, fieldTypeNames.length)
  })

  test('are said in words', () => {
    const words = (text: string) => readConditions(text, fields).map((condition) => conditionWords(condition, fields))
    assert.deepEqual(words('ownselect:eq:calm;data.owntext:contains:sea;ownboolean:eq:true;ownlist.n:gt:3'), [
      'Ownselect is Calm sea',
      'Owntext contains “sea”',
      'Ownboolean is yes',
      'Ownlist: N is more than 3',
    ])
  })
})
