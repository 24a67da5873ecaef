import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEditor } from '../entries/editor/editor-context.ts'
import { entriesKey } from '../entries/queries.ts'
import { typesQuery } from '../types/queries.ts'
import { candidatesFor, entryAt } from './page-links.ts'
import { pagePath, useHasPages } from './pages.ts'

const FRESH_MS = 30_000
/** A button is no place for a long title. */
const MAX_WORDS = 32

/** Links on the page are not followed; one to the page of another entry is offered for editing. */
export const useLinkOffer = (pageUrl: string | undefined): ((href: string) => void) => {
  const { settings, state } = useEditor()
  const client = useQueryClient()
  const navigateTo = useNavigateTo()
  const hasPages = useHasPages()
  const { data: types } = useQuery(typesQuery)
  const find = async (href: string) => {
    const base = settings.url ?? URL.parse(pageUrl ?? '')?.origin ?? location.origin
    const candidates = candidatesFor(types?.items.filter(({ name }) => hasPages(name)) ?? [], base, href)
    if (candidates.length === 0) return undefined
    return client.fetchQuery({
      queryKey: [...entriesKey, 'page', href],
      queryFn: async ({ signal }) => (await entryAt(candidates, href, signal)) ?? null,
      staleTime: FRESH_MS,
    })
  }
  return (href) => {
    const explainOnly = () => toast({ title: "Links don't open while you edit", description: href })
    find(href).then((entry) => {
      if (!entry || entry.id === state.entry?.id) return explainOnly()
      const title = entry.title || 'Untitled'
      toast({
        title: 'This link leads to another page',
        action: { label: `Edit ${shortened(title)}`, onAction: () => navigateTo(pagePath(entry.id)) },
      })
    }, explainOnly)
  }
}

const shortened = (title: string): string => (title.length > MAX_WORDS ? `${title.slice(0, MAX_WORDS)}…` : title)
