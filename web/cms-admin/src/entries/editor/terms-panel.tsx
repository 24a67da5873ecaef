import { isForType, type Taxonomy } from '@stoa/cms-model/taxonomies.ts'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { SearchInput } from '@stoa/ui/form/search-input.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { taxonomiesQuery } from '../../taxonomies/queries.ts'
import { rowsOf } from '../../taxonomies/tree.ts'
import { useEditor } from './editor-context.ts'
import { SideSection } from './side-section.tsx'
import { useActs } from './use-acts.ts'

/** From so many terms on, one searches instead of looking through them. */
const SEARCH_FROM = 8

/** The terms of each taxonomy that entries of this type can have. */
export const TermsPanels = () => {
  const { type } = useEditor()
  const { data } = useQuery(taxonomiesQuery)
  const own = data?.items.filter((taxonomy) => isForType(taxonomy.types, type.name)) ?? []
  return own.map((taxonomy) => <TermsPanel key={taxonomy.name} taxonomy={taxonomy} />)
}

const TermsPanel = ({ taxonomy }: { taxonomy: Taxonomy }) => {
  const { rights, canWrite, state } = useEditor()
  const { has, toggle } = useTerms(taxonomy.name)
  const [q, setQ] = useState('')
  const wanted = q.trim().toLowerCase()
  const rows = rowsOf(taxonomy.terms).filter(({ term }) => term.name.toLowerCase().includes(wanted))
  return (
    <SideSection title={taxonomy.label}>
      {taxonomy.terms.length >= SEARCH_FROM ? (
        <SearchInput label={`Search ${taxonomy.label.toLowerCase()}`} value={q} onSearch={setQ} />
      ) : null}
      {rows.length === 0 ? (
        <p className="text-faint text-xs">{wanted === '' ? 'No terms yet' : `No results for “${q.trim()}”`}</p>
      ) : (
        <ul aria-label={taxonomy.label} className="flex max-h-60 flex-col gap-1.5 overflow-y-auto py-0.5">
          {rows.map(({ term, depth }) => (
            <li key={term.id} style={{ paddingInlineStart: wanted === '' ? `${depth}rem` : undefined }}>
              <CheckboxField
                label={term.name}
                checked={has(term.slug)}
                disabled={!canWrite}
                onChecked={(checked) => void toggle(term.slug, checked)}
              />
            </li>
          ))}
        </ul>
      )}
      {taxonomy.termCount > taxonomy.terms.length ? (
        <Notice>
          Showing the first {taxonomy.terms.length} of {taxonomy.termCount}.
        </Notice>
      ) : null}
      {rights.edit && state.entry?.status === 'published' ? (
        <p className="text-faint text-xs">Term changes go live immediately</p>
      ) : null}
    </SideSection>
  )
}

/** Ticked at once; a refusal takes it back. */
const useTerms = (taxonomy: string) => {
  const { state, beginning, setBeginning } = useEditor()
  const acts = useActs()
  const [waiting, setWaiting] = useState<ReadonlyMap<string, boolean>>(new Map())
  const terms = state.entry?.terms ?? beginning.terms
  const isStored = (slug: string) => terms.some((term) => term.taxonomy === taxonomy && term.slug === slug)
  const change = (slug: string, checked: boolean) => (slugs: readonly string[]) =>
    checked ? [...new Set([...slugs, slug])] : slugs.filter((other) => other !== slug)
  const toggle = async (slug: string, checked: boolean) => {
    if (state.entry === null) {
      const rest = beginning.terms.filter((term) => term.taxonomy !== taxonomy || term.slug !== slug)
      return setBeginning({ terms: checked ? [...rest, { taxonomy, slug }] : rest })
    }
    setWaiting((before) => new Map([...before, [slug, checked]]))
    try {
      await acts.setTerms(taxonomy, change(slug, checked))
    } catch (error) {
      toast({ tone: 'danger', title: "The terms weren't changed", description: messageOf(error) })
    } finally {
      setWaiting((before) => new Map([...before].filter(([other]) => other !== slug)))
    }
  }
  return { has: (slug: string) => waiting.get(slug) ?? isStored(slug), toggle }
}
