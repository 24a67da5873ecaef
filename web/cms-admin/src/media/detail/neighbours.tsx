import { IconButton } from '@stoa/ui/button/button.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { useShortcut } from '@stoa/ui/shortcuts/shortcuts.ts'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { dayOf, filterOf } from '../library/filter.ts'
import { mediaListQuery } from '../queries.ts'

/** To the file before and after this one, in the list that it was opened from. */
export const Neighbours = ({ id }: { id: string }) => {
  const url = useUrlState()
  const filter = filterOf(url.get, dayOf(new Date()))
  const page = filter.page ?? 1
  const list = useQuery(mediaListQuery(filter)).data
  const files = list?.items ?? []
  const at = files.findIndex((media) => media.id === id)
  const isLast = at === files.length - 1 && at >= 0
  const before = useQuery({ ...mediaListQuery({ ...filter, page: page - 1 }), enabled: at === 0 && page > 1 })
  const after = useQuery({
    ...mediaListQuery({ ...filter, page: page + 1 }),
    enabled: isLast && list !== undefined && page < list.meta.pages,
  })
  const previous = at > 0 ? { id: files[at - 1]?.id, page } : { id: before.data?.items.at(-1)?.id, page: page - 1 }
  const next = isLast ? { id: after.data?.items[0]?.id, page: page + 1 } : { id: files[at + 1]?.id, page }
  if (at < 0) return null
  return (
    <span className="flex gap-1">
      <Go label="Previous file" keys="k" icon={<ChevronLeft />} to={previous} />
      <Go label="Next file" keys="j" icon={<ChevronRight />} to={next} />
    </span>
  )
}

type GoProps = { label: string; keys: string; icon: React.ReactNode; to: { id: string | undefined; page: number } }

const Go = ({ label, keys, icon, to }: GoProps) => {
  const url = useUrlState()
  const go = () => {
    if (to.id !== undefined) url.set({ id: to.id, page: to.page === 1 ? '' : String(to.page) })
  }
  useShortcut({ keys, description: label, group: 'This screen', enabled: to.id !== undefined, onPress: go })
  return (
    <IconButton
      variant="secondary"
      label={label}
      icon={icon}
      shortcut={keys}
      disabled={to.id === undefined}
      onClick={go}
    />
  )
}
