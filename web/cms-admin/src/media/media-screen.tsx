import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { Library } from './library.tsx'
import { MediaDetail } from './media-detail.tsx'

/** The media library, or one of its files. */
export const MediaScreen = () => {
  const id = useUrlState().get('id')
  return id === '' ? <Library /> : <MediaDetail key={id} id={id} />
}
