import type { Taxonomy, Term } from '@stoa/cms-model/taxonomies.ts'
import { IconButton } from '@stoa/ui/button/button.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Menu, MenuItem, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  ArrowDown,
  ArrowUp,
  CornerDownRight,
  CornerLeftUp,
  Ellipsis,
  FolderInput,
  ListPlus,
  Pencil,
  Trash2,
} from 'lucide-react'
import type { CSSProperties } from 'react'
import { taxonomiesQuery, updateTerm } from './queries.ts'
import { type Move, movesOf, rowsOf } from './tree.ts'

type TermListProps = {
  taxonomy: Taxonomy
  onEdit: (term: Term) => void
  onAddBelow: (term: Term) => void
  onDelete: (term: Term) => void
}

/** The terms as a tree; each moves by its buttons, so that no mouse is needed. */
export const TermList = ({ taxonomy, ...actions }: TermListProps) => {
  const queryClient = useQueryClient()
  const move = useMutation({
    mutationFn: ({ term, to }: { term: Term; to: Move }) => updateTerm(taxonomy.name, term.slug, to, 'any'),
    onError: (error) => toast({ tone: 'danger', title: "Couldn't move the term", description: messageOf(error) }),
    onSettled: () => queryClient.invalidateQueries(taxonomiesQuery),
  })
  return (
    <ul aria-label="Terms" aria-busy={move.isPending} className="divide-y divide-line">
      {rowsOf(taxonomy.terms).map(({ term, depth }) => (
        <li key={term.id} className="flex min-h-11 items-center gap-3 py-1.5 pr-2 pl-4">
          <div style={indent(depth)} className="flex min-w-0 flex-1 items-center gap-2">
            {depth === 0 ? null : <CornerDownRight aria-hidden className="size-3.5 shrink-0 text-faint" />}
            <span className="flex min-w-0 flex-col">
              <span className="break-words font-medium text-ink text-sm">
                {depth === 0 ? null : <span className="sr-only">Level {depth + 1}: </span>}
                {term.name}
              </span>
              <span className="truncate text-faint text-xs">{term.slug}</span>
            </span>
          </div>
          <span className="shrink-0 text-muted text-xs tabular-nums phone:hidden">
            {formatCount(term.count, 'entry', 'entries')}
          </span>
          <TermActions
            taxonomy={taxonomy}
            term={term}
            {...actions}
            busy={move.isPending}
            onMove={(to) => move.mutate({ term, to })}
          />
        </li>
      ))}
    </ul>
  )
}

const indent = (depth: number): CSSProperties => ({
  paddingInlineStart: `calc(var(--spacing) * ${Math.min(depth, 6) * 6})`,
})

type TermActionsProps = TermListProps & { term: Term; busy: boolean; onMove: (to: Move) => void }

const TermActions = ({ taxonomy, term, busy, onMove, onEdit, onAddBelow, onDelete }: TermActionsProps) => {
  const moves = movesOf(taxonomy.terms, term, taxonomy.hierarchical)
  const { up, down, in: inward, out } = moves
  return (
    <span className="flex shrink-0 items-center">
      <IconButton
        size="sm"
        label={`Move ${term.name} up`}
        icon={<ArrowUp />}
        disabled={!up || busy}
        onClick={() => up && onMove(up)}
      />
      <IconButton
        size="sm"
        label={`Move ${term.name} down`}
        icon={<ArrowDown />}
        disabled={!down || busy}
        onClick={() => down && onMove(down)}
      />
      <Menu trigger={<IconButton size="sm" label={`Actions for ${term.name}`} icon={<Ellipsis />} />}>
        <MenuItem icon={<Pencil />} onSelect={() => onEdit(term)}>
          Edit
        </MenuItem>
        {taxonomy.hierarchical ? (
          <MenuItem icon={<ListPlus />} onSelect={() => onAddBelow(term)}>
            Add sub-term
          </MenuItem>
        ) : null}
        {inward ? (
          <MenuItem icon={<FolderInput />} onSelect={() => onMove(inward)}>
            Nest under previous
          </MenuItem>
        ) : null}
        {out ? (
          <MenuItem icon={<CornerLeftUp />} onSelect={() => onMove(out)}>
            Un-nest
          </MenuItem>
        ) : null}
        <MenuSeparator />
        <MenuItem icon={<Trash2 />} danger onSelect={() => onDelete(term)}>
          Delete
        </MenuItem>
      </Menu>
    </span>
  )
}
