import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError, defineErrors, Fault, type FaultTable, fault, translateFault } from './errors.ts'

const { catalogue, error, fail } = defineErrors({
  not_found: { status: 404, message: 'There is no such thing' },
  conflict: { status: 409, message: 'It is there already' },
})

describe('errors of a catalogue', () => {
  test('have the status and the sentence of their code', () => {
    const raised = error('not_found')
    assert.ok(raised instanceof AppError && raised instanceof Error)
    assert.deepEqual([raised.code, raised.status, raised.message], ['not_found', 404, 'There is no such thing'])
    assert.deepEqual([raised.details, raised.headers, raised.cause], [undefined, undefined, undefined])
    assert.equal(catalogue.conflict.status, 409)
  })

  test('may say more, and keep their cause for the log', () => {
    const cause = new Error('inner')
    const raised = error('conflict', {
      message: 'Taken',
      details: { name: 'a' },
      headers: { 'retry-after': '1' },
      cause,
    })
    assert.deepEqual(
      [raised.message, raised.details, raised.headers, raised.cause],
      ['Taken', { name: 'a' }, { 'retry-after': '1' }, cause],
    )
    assert.equal(raised.status, 409)
  })

  test('are raised by fail', () => {
    assert.throws(
      () => fail('conflict', { details: { a: 1 } }),
      (raised) => raised instanceof AppError && raised.code === 'conflict',
    )
  })

  test('exist only if they are in the catalogue', () => {
    const loose: { error(code: string): AppError } = defineErrors<Record<string, { status: number; message: string }>>(
      {},
    )
    assert.throws(() => loose.error('nothing'), /'nothing' is not in the error catalogue/)
  })
})

const refuse = (_detail: unknown, cause: unknown) => error('not_found', { cause })
const faults: FaultTable = {
  invalid_input: refuse,
  invalid_json: refuse,
  too_large: refuse,
  unsupported_media: refuse,
  route_not_found: refuse,
  method_not_allowed: refuse,
  unauthenticated: refuse,
  csrf: refuse,
  origin_refused: refuse,
  rate_limited: refuse,
  conflict: refuse,
  reference: refuse,
  invalid_value: refuse,
  unavailable: refuse,
  internal: refuse,
}

describe('faults of the kit', () => {
  test('know their kind and detail, and keep their cause', () => {
    const cause = new Error('driver text')
    const raised = fault('conflict', { constraint: 'things_name_key' }, cause)
    assert.ok(raised instanceof Fault)
    assert.deepEqual([raised.kind, raised.detail, raised.cause], ['conflict', { constraint: 'things_name_key' }, cause])
    assert.equal(raised.message, 'conflict')
  })

  test('become an error of the service by its table, which sees detail and cause', () => {
    const cause = new Error('driver text')
    const seen: unknown[] = []
    const table: FaultTable = {
      ...faults,
      conflict: (detail, from) => {
        seen.push(detail, from)
        return error('conflict', { cause: from })
      },
    }
    assert.equal(translateFault(table, fault('conflict', { constraint: 'x' }, cause)).code, 'conflict')
    assert.deepEqual(seen, [{ constraint: 'x' }, cause])
    assert.equal(translateFault(table, fault('route_not_found', { path: '/x' })).status, 404)
  })

  test('without a cause are their own cause, so that the log has a stack', () => {
    const raised = fault('internal', {})
    assert.equal(translateFault(faults, raised).cause, raised)
  })
})
