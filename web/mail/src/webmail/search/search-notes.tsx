import { Button } from '@stoa/ui/button/button.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useQuery } from '@tanstack/react-query'
import { Info } from 'lucide-react'
import { type Place, placeName, SEARCH_PLACE } from '../places.ts'
import { foldersQuery } from '../queries.ts'
import { useLastPlace } from './last-place.ts'
import { searchProblems } from './operators.ts'

type SearchNotesProps = { q: string; placeWord: string; place: Place; onPlace: (place: string, q?: string) => void }

/** Above what was found: where it was looked for, and what of the search was not understood. */
export const SearchNotes = ({ q, placeWord, place, onPlace }: SearchNotesProps) => {
  const { data: folders } = useQuery(foldersQuery)
  const last = useLastPlace()
  if (q.trim() === '') return null
  const here = place.kind === 'search' ? last : { word: placeWord, name: placeName(place) }
  const problems = folders ? searchProblems(q, folders.data) : []
  return (
    <div className="flex shrink-0 flex-col gap-1 border-line border-b bg-canvas px-2 py-1">
      <fieldset aria-label="Search in" className="flex min-w-0 items-center gap-1">
        <Scope isOn={place.kind === 'search'} onPress={() => onPlace(SEARCH_PLACE, q)}>
          All folders
        </Scope>
        <Scope isOn={place.kind !== 'search'} onPress={() => onPlace(here.word, q)}>
          {here.name}
        </Scope>
      </fieldset>
      {problems.map(({ word, message }) => (
        <p key={word} role="status" className="flex items-start gap-1.5 px-1 text-muted text-xs">
          <Info aria-hidden className="mt-0.5 size-3.5 shrink-0 text-draft-ink" />
          <span className="min-w-0">{message}</span>
        </p>
      ))}
    </div>
  )
}

const Scope = ({ isOn, onPress, children }: { isOn: boolean; onPress: () => void; children: string }) => (
  <Button
    size="sm"
    variant="ghost"
    aria-pressed={isOn}
    onClick={onPress}
    className={cx('min-w-0 shrink! font-normal!', isOn && 'bg-pressed font-medium! text-ink!')}
  >
    <span className="truncate">{children}</span>
  </Button>
)
