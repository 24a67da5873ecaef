import { renderVisual } from '@stoa/visual/render.ts'
import { parse } from 'parse5'
import { createGoals } from '../goals.ts'
import { median } from '../harness.ts'

const ROUNDS = 25
const PAGES = 4
const SECTIONS = 20
const SIZE = 100_000
/** Times the bare parser. */
const MOST_RATIO = { public: 1.5, editing: 2.5 }

/** A page of 100 KB with 20 sections and 20 fields, against the bare parser with locations on it in the same run. */
export const run = async (): Promise<void> => {
  const html = page()
  const names = Array.from({ length: SECTIONS }, (_, index) => `s${index}`)
  const definition = {
    sections: names.map((id) => ({ id, label: id, selector: `main > .${id}` })),
    fields: Object.fromEntries(names.map((id, index) => [`field${index}`, `.${id} h2`])),
  }
  const layout = { order: names.toReversed(), hidden: [] }
  const works = {
    parse: () => parse(html, { sourceCodeLocationInfo: true }),
    public: () => renderVisual(html, definition, layout),
    editing: () => renderVisual(html, definition, layout, true),
  }
  for (const work of Object.values(works)) for (let warm = 0; warm < 20; warm += 1) work()
  const costs = { parse: [] as number[], public: [] as number[], editing: [] as number[] }
  for (let round = 0; round < ROUNDS; round += 1)
    for (const name of ['parse', 'public', 'editing'] as const) costs[name].push(cpuMs(works[name]))
  if (renderVisual(html, definition, { order: ['gone'], hidden: [] }) !== html)
    throw new Error('a layout without effect changes the page')
  process.stdout.write(
    `visual, ${Math.round(html.length / 1000)} kB: parse5 ${median(costs.parse).toFixed(1)} ms CPU; ` +
      `a layout without effect ${cpuMs(() => renderVisual(html, definition, { order: ['gone'] })).toFixed(3)} ms\n`,
  )
  const goals = createGoals()
  for (const name of ['public', 'editing'] as const) {
    const ratio = median(costs[name].map((cost, round) => cost / (costs.parse[round] ?? Number.NaN)))
    goals.check(`${name} page: ${ratio.toFixed(2)} times the parser`, ratio, MOST_RATIO[name])
  }
  goals.finish()
}

const cpuMs = (work: () => unknown): number => {
  const before = process.cpuUsage()
  for (let count = 0; count < PAGES; count += 1) work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / PAGES
}

const page = (): string => {
  const words = 'The harbour wakes early, and the boats are <em>back</em> before the market opens. '
  const card = (index: number) =>
    `<li class="card"><a href="/story/${index}" title="Story ${index}"><img src="/media/${index}.jpg" alt="">` +
    `<h3>Story ${index}</h3></a><p class="lead">${words}</p></li>\n`
  const section = (index: number) =>
    `<section class="s${index} block wide" id="part-${index}"><h2>Section ${index}</h2>\n<p>${words.repeat(6)}</p>\n` +
    `<ul class="cards">\n${Array.from({ length: 16 }, (_, number) => card(number)).join('')}</ul></section>\n`
  const sections = Array.from({ length: SECTIONS }, (_, index) => section(index)).join('<!-- next -->\n')
  const text = `<!doctype html>\n<html lang="en"><head><title>Harbour News</title></head><body><main>\n${sections}</main>`
  return `${text}${`<p>${words}</p>\n`.repeat(Math.max(0, Math.ceil((SIZE - text.length) / (words.length + 8))))}</body></html>\n`
}
