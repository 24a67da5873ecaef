import type { EntryItem } from '@stoa/cms-model/entries.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { Sortable } from '@stoa/ui/sortable/sortable.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { entriesBySlugQuery } from '../../entries/queries.ts'
import type { EditorProps } from '../editor.ts'
import { mayMove, moveItem, removeItem } from '../items.ts'
import { keysOfIds } from '../media/file-notes.ts'
import type { HeldSlugs, SlugReference } from '../slug-references.ts'
import { EntryCombobox } from './entry-combobox.tsx'
import { EntryRow } from './entry-row.tsx'

type SlugReferenceEditorProps = EditorProps & { target: SlugReference; held: HeldSlugs }

/** Entries of another type, which the website finds by their slugs: chosen by title, stored by slug. */
export const SlugReferenceEditor = (props: SlugReferenceEditorProps) => {
  const { field, target, held, onChange, disabled } = props
  const found = useFound(target, held.slugs)
  const [changing, setChanging] = useState(false)
  const set = (slugs: readonly string[]) => onChange(held.toValue(slugs))
  const isAdding = held.isList || held.slugs.length === 0 || changing
  const { slugs } = held
  return (
    <>
      {slugs.length === 0 ? null : held.isList ? (
        <SlugList {...props} found={found} onSlugs={set} />
      ) : (
        <SlugRow slug={slugs[0] ?? ''} id="one" {...props} found={found} onRemove={() => set([])}>
          {disabled || changing ? null : (
            <Button size="sm" variant="ghost" onClick={() => setChanging(true)}>
              Change
            </Button>
          )}
        </SlugRow>
      )}
      {isAdding && !disabled ? (
        <EntryCombobox
          type={target.type}
          label={held.isList ? `Add an entry to ${field.label}` : `Find an entry for ${field.label}`}
          without={slugs.flatMap((slug) => found.entries.get(slug)?.id ?? [])}
          disabled={held.isList && slugs.length >= held.max}
          autoFocus={changing}
          onChoose={({ slug }) => {
            setChanging(false)
            set(held.isList ? [...slugs, slug] : [slug])
          }}
        />
      ) : null}
      {slugs.length === 0 && disabled ? <p className="text-faint text-sm">None</p> : null}
    </>
  )
}

type Found = { entries: ReadonlyMap<string, EntryItem>; isLoading: boolean; problem: string | undefined }

const useFound = ({ type }: SlugReference, slugs: readonly string[]): Found => {
  const { data, error, isPlaceholderData } = useQuery(entriesBySlugQuery(type, slugs))
  return {
    entries: new Map(data?.map((entry) => [entry.slug, entry])),
    isLoading: !error && (data === undefined || isPlaceholderData),
    problem: error ? messageOf(error) : undefined,
  }
}

type SlugListProps = SlugReferenceEditorProps & { found: Found; onSlugs: (slugs: readonly string[]) => void }

const SlugList = ({ found, onSlugs, ...props }: SlugListProps) => {
  const { slugs } = props.held
  const keys = keysOfIds(slugs)
  const move = (from: number, to: number) => {
    if (mayMove(slugs.length, from, to)) onSlugs(moveItem(slugs, from, to))
  }
  const nameOf = (key: string) => {
    const slug = slugs[keys.indexOf(key)] ?? ''
    return found.entries.get(slug)?.title || slug
  }
  return (
    <Sortable ids={keys} nameOf={nameOf} onMove={move} layout="rows">
      <ol className="flex min-w-0 flex-col gap-1.5">
        {slugs.map((slug, index) => (
          <SlugRow
            key={keys[index]}
            id={keys[index] ?? ''}
            slug={slug}
            {...props}
            found={found}
            sort={{ index, count: slugs.length, onMove: move }}
            onRemove={() => onSlugs(removeItem(slugs, index))}
          />
        ))}
      </ol>
    </Sortable>
  )
}

type SlugRowProps = Pick<SlugReferenceEditorProps, 'path' | 'disabled' | 'target'> &
  Pick<Parameters<typeof EntryRow>[0], 'id' | 'sort' | 'onRemove' | 'children'> & { slug: string; found: Found }

const SlugRow = ({ slug, found, target, path, sort, ...rest }: SlugRowProps) => {
  const entry = found.entries.get(slug)
  const missing = found.problem
    ? { name: slug, text: slug, note: found.problem }
    : { name: slug, text: slug, note: `Not found: no ${target.label.toLowerCase()} has this slug` }
  return (
    <EntryRow
      id={rest.id}
      entry={entry}
      missing={found.isLoading ? undefined : missing}
      note={entry?.status === 'draft' ? 'Not published yet' : undefined}
      path={sort ? `${path}.${sort.index}` : path}
      errors={[]}
      disabled={rest.disabled}
      {...(sort ? { sort } : {})}
      onRemove={rest.onRemove}
    >
      {rest.children}
    </EntryRow>
  )
}
