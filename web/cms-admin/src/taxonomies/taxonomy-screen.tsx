import type { Taxonomy, Term } from '@stoa/cms-model/taxonomies.ts'
import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Crash } from '@stoa/ui/feedback/error-boundary.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { Menu, MenuItem, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { useQuery } from '@tanstack/react-query'
import { Ellipsis, Pencil, Plus, Tag, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { describeTypes } from '../types/scope.ts'
import { taxonomyQuery } from './queries.ts'
import { DeleteTaxonomy, EditTaxonomyDialog } from './taxonomy-dialogs.tsx'
import { DeleteTerm, EditTermDialog, NewTermDialog } from './term-dialogs.tsx'
import { TermList } from './term-list.tsx'

/** One taxonomy with its terms. */
export const TaxonomyScreen = ({ name }: { name: string }) => {
  const query = useQuery(taxonomyQuery(name))
  if (query.data) return <TaxonomyView taxonomy={query.data} />
  if (!query.error) return <SkeletonText lines={8} />
  return (
    <Crash title="Couldn't load this taxonomy" onRetry={() => void query.refetch()}>
      {messageOf(query.error)}
    </Crash>
  )
}

type Open = { kind: 'edit' | 'delete' } | { kind: 'new-term'; parentId: string } | { kind: 'edit-term'; term: Term }

const TaxonomyView = ({ taxonomy }: { taxonomy: Taxonomy }) => {
  const [open, setOpen] = useState<Open>()
  const [deleting, setDeleting] = useState<Term>()
  const close = () => setOpen(undefined)
  const add = (
    <Button variant="primary" icon={<Plus />} onClick={() => setOpen({ kind: 'new-term', parentId: '' })}>
      New term
    </Button>
  )
  return (
    <>
      <title>{`${taxonomy.label} · Taxonomies · Stoa CMS`}</title>
      <PageHeader
        crumbs={[{ label: 'Taxonomies', to: '/taxonomies' }]}
        title={taxonomy.label}
        description={`For ${describeTypes(taxonomy.types).toLowerCase()}. ${taxonomy.hierarchical ? 'Terms can be nested.' : 'Terms are flat.'}`}
        actions={
          <>
            <Menu trigger={<IconButton variant="secondary" label="More actions" icon={<Ellipsis />} />}>
              <MenuItem icon={<Pencil />} onSelect={() => setOpen({ kind: 'edit' })}>
                Edit taxonomy
              </MenuItem>
              <MenuSeparator />
              <MenuItem icon={<Trash2 />} danger onSelect={() => setOpen({ kind: 'delete' })}>
                Delete taxonomy
              </MenuItem>
            </Menu>
            {add}
          </>
        }
      />
      <div className="flex flex-col gap-4">
        {taxonomy.termCount > taxonomy.terms.length ? (
          <Notice>
            Showing the first {taxonomy.terms.length} of {taxonomy.termCount} terms.
          </Notice>
        ) : null}
        <Panel flush>
          {taxonomy.terms.length === 0 ? (
            <EmptyState icon={<Tag />} title="No terms yet" action={add}>
              Add terms to organize entries, such as “News” or “Recipes”.
            </EmptyState>
          ) : (
            <TermList
              taxonomy={taxonomy}
              onEdit={(term) => setOpen({ kind: 'edit-term', term })}
              onAddBelow={(term) => setOpen({ kind: 'new-term', parentId: term.id })}
              onDelete={setDeleting}
            />
          )}
        </Panel>
      </div>
      {open?.kind === 'new-term' ? (
        <NewTermDialog taxonomy={taxonomy} parentId={open.parentId} onClose={close} />
      ) : null}
      {open?.kind === 'edit-term' ? <EditTermDialog taxonomy={taxonomy} term={open.term} onClose={close} /> : null}
      {open?.kind === 'edit' ? <EditTaxonomyDialog taxonomy={taxonomy} onClose={close} /> : null}
      <DeleteTaxonomy taxonomy={taxonomy} open={open?.kind === 'delete'} onClose={close} />
      <DeleteTerm taxonomy={taxonomy} term={deleting} onClose={() => setDeleting(undefined)} />
    </>
  )
}
