import type { Taxonomy } from '@stoa/cms-model/taxonomies.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { formatNumber } from '@stoa/ui/text/format.ts'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { describeTypes } from '../types/scope.ts'
import { taxonomiesQuery } from './queries.ts'
import { NewTaxonomyDialog } from './taxonomy-dialogs.tsx'

const columns: readonly [Column<Taxonomy>, ...Column<Taxonomy>[]] = [
  { id: 'label', header: 'Taxonomy', cell: (taxonomy) => taxonomy.label },
  {
    id: 'name',
    header: 'Name',
    cell: (taxonomy) => <code className="font-mono text-xs">{taxonomy.name}</code>,
  },
  { id: 'kind', header: 'Kind', cell: (taxonomy) => (taxonomy.hierarchical ? 'Nested' : 'Flat') },
  { id: 'types', header: 'Used by', cell: (taxonomy) => <Badge>{describeTypes(taxonomy.types)}</Badge> },
  { id: 'terms', header: 'Terms', align: 'end', cell: (taxonomy) => formatNumber(taxonomy.termCount) },
]

/** The sets of terms that entries are filed under. */
export const TaxonomiesScreen = () => {
  const query = useQuery(taxonomiesQuery)
  const url = useUrlState()
  const create = (
    <Button variant="primary" icon={<Plus />} onClick={() => url.set({ new: '1' })}>
      New taxonomy
    </Button>
  )
  return (
    <>
      <title>Taxonomies · Stoa CMS</title>
      <PageHeader title="Taxonomies" description="Categories, topics or tags to organize entries" actions={create} />
      <DataTable
        label="Taxonomies"
        columns={columns}
        state={listState({ data: query.data?.items, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={(taxonomy) => taxonomy.id}
        rowName={(taxonomy) => taxonomy.label}
        rowTo={(taxonomy) => `/taxonomies/${taxonomy.name}`}
        empty={
          <EmptyState drawing="shapes" title="No taxonomies yet" action={create}>
            Use taxonomies to organize entries, so your website can list them by term.
          </EmptyState>
        }
      />
      {url.get('new') ? <NewTaxonomyDialog onClose={() => url.set({ new: '' })} /> : null}
    </>
  )
}
