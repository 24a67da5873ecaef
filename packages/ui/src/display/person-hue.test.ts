import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PERSON_HUES, personHue } from './person-hue.ts'

describe('the hue of a person', () => {
  test('is the same every time, however the address is written', () => {
    assert.equal(personHue('ada@example.test'), personHue('ada@example.test'))
    assert.equal(personHue('Ada@Example.test'), personHue('ada@example.test'))
  })

  test('does not change between versions: people know each other by it', () => {
    assert.deepEqual(
      ['ada@example.test', 'grace@example.test', '3f2b6c1e-0000-4000-8000-000000000001'].map(personHue),
      [195, 315, 135],
    )
  })

  test('is spread over all hues', () => {
    const counts = new Map(PERSON_HUES.map((hue) => [hue as number, 0]))
    for (let person = 0; person < 1200; person += 1) {
      const hue = personHue(`person${person}@example.test`)
      counts.set(hue, (counts.get(hue) ?? 0) + 1)
    }
    assert.equal(counts.size, PERSON_HUES.length)
    for (const [hue, count] of counts) assert.ok(count > 60 && count < 140, `${count} of 1200 have the hue ${hue}`)
  })
})
