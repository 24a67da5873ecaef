import { webhookEvents as cmsEvents } from '@stoa/cms-model/webhook-events.ts'
import { addHealthMetrics } from '@stoa/kit/health/metrics.ts'
import { createMetrics } from '@stoa/kit/http/metrics.ts'
import { webhookEvents as mailEvents } from '@stoa/mail-model/webhook-events.ts'

/** A table of a page that is written from where its rows are declared. */
type DocTable = { readonly name: string; readonly head: readonly string[]; readonly rows: readonly string[][] }

const eventTable = (events: Readonly<Record<string, { when: string }>>): DocTable => ({
  name: 'events',
  head: ['Event', 'When'],
  rows: Object.entries(events).map(([name, { when }]) => [`\`${name}\``, when]),
})

const metricTable = (): DocTable => {
  const { registry } = createMetrics('docs')
  addHealthMetrics(registry, async () => undefined)
  const metrics = registry.getMetricsAsArray().toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return {
    name: 'metrics',
    head: ['Metric', 'Type', 'Meaning'],
    rows: metrics.map(({ name, type, help }) => [`\`${name}\``, String(type), help.replace(/\.$/, '')]),
  }
}

export const docTables: Readonly<Record<string, DocTable>> = {
  'docs/webhooks.md': eventTable(cmsEvents),
  'docs/mail-webhooks.md': eventTable(mailEvents),
  'docs/metrics.md': metricTable(),
}

/** The page with the table as the declarations have it. */
export const withTable = (page: string, { name, head, rows }: DocTable): string => {
  const begin = `<!-- ${name}: written by npm run docs -->\n`
  const end = `<!-- /${name} -->`
  const [before, rest] = page.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`The page has no lines ${begin.trim()} and ${end}`)
  const lines = [head, head.map(() => '---'), ...rows].map((cells) =>
    cells[0] === '---' ? `|${cells.join('|')}|` : `| ${cells.join(' | ')} |`,
  )
  return `${before}${begin}\n${lines.join('\n')}\n\n${end}${after}`
}
