import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { MediaDetail } from './detail/media-detail.tsx'
import { Library } from './library/library.tsx'

/** The media library, or one of its files. */
export const MediaScreen = () => {
  const id = useUrlState().get('id')
  return id === '' ? <Library /> : <MediaDetail key={id} id={id} />
}
