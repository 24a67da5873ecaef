import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import { orderSections } from '@stoa/cms-model/order-sections.ts'
import { runs } from '@stoa/tests/lib/runs.ts'
import { renderVisual } from './render.ts'
import { type Chance, chanceFrom, IDS, malformedPage, properPage, write } from './testing/pages.ts'

const sectionsFor = (chance: Chance) =>
  IDS.map((id) => ({ id, label: id, selector: `.${id}`, ...(chance.once(5) && { movable: false }) }))

const withoutOurs = (html: string): string => html.replace(/ data-cms-(?:section|field|hidden|fixed)="[^"]*"/g, '')
const sorted = (html: string): string => [...Buffer.from(html)].sort().join()

describe('random pages', () => {
  test('as bad as people write them keep their bytes, and rendering is steady in both modes', () => {
    const { mock: logged } = mock.method(console, 'error')
    let moved = 0
    for (let seed = 0; seed < runs(1_200, 40_000); seed += 1) {
      const chance = chanceFrom(seed)
      const html = malformedPage(chance)
      const definition = { sections: sectionsFor(chance), fields: { tag: 'b', class: '.z', all: '*' } }
      const order = chance.some(IDS)
      const hidden = chance.some(IDS)
      const [shown, editing] = [
        renderVisual(html, definition, { order }),
        renderVisual(html, definition, { order, hidden }, true),
      ]
      if (shown !== html) {
        moved += 1
        assert.equal(sorted(shown), sorted(html), `bytes of ${seed}`)
      }
      assert.equal(renderVisual(shown, definition, { order }), shown, `public ${seed}`)
      assert.equal(renderVisual(editing, definition, { order, hidden }, true), editing, `editing ${seed}`)
      assert.equal(withoutOurs(editing), shown, `editing beside public ${seed}`)
      assert.equal(renderVisual(html, definition, { order: [], hidden: ['nothing'] }), html)
    }
    assert.ok(moved > 60, `${moved} were moved`)
    assert.equal(logged.callCount(), 0)
    logged.restore()
  })

  test('that are written properly are what the layout says, section by section', () => {
    let moved = 0
    for (let seed = 0; seed < runs(800, 20_000); seed += 1) {
      const chance = chanceFrom(seed)
      const pieces = properPage(chance)
      const sections = sectionsFor(chance)
      const order = chance.some(IDS)
      const hidden = chance.some(IDS).slice(0, 2)
      const place = (ids: string[]): string[] => {
        const siblings = ids.map((id) => ({ id, movable: sections.find((one) => one.id === id)?.movable !== false }))
        return orderSections(siblings, order).map(({ id }) => id)
      }
      const html = write(pieces, (ids) => ids, [])
      const shown = renderVisual(html, { sections }, { order, hidden })
      assert.equal(shown, write(pieces, place, hidden), `page ${seed}`)
      assert.equal(renderVisual(shown, { sections }, { order, hidden }), shown, `again ${seed}`)
      assert.equal(
        withoutOurs(renderVisual(html, { sections }, { order, hidden }, true)),
        write(pieces, place, []),
        `editing ${seed}`,
      )
      if (write(pieces, place, []) !== html) moved += 1
    }
    assert.ok(moved > 150, `${moved} were moved`)
  })
})
