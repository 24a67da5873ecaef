import { Avatar } from '@stoa/ui/display/avatar.tsx'
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { pictureSource } from '../media/renditions.ts'
import { settingsQuery } from '../settings/queries.ts'

/** The largest that a picture of a person is shown, on a dense screen. */
const PIXELS = 80

/** The URL of someone's picture, in a size for faces; undefined without one. */
export const useAvatarSource = (avatarUrl: string | null): string | undefined => {
  const { data: sizes } = useQuery({
    ...settingsQuery,
    select: ({ imageSizes }) => imageSizes,
    enabled: avatarUrl !== null,
  })
  if (avatarUrl === null || sizes === undefined) return undefined
  return pictureSource({ url: avatarUrl, mimeType: 'image/jpeg', width: null, height: null }, PIXELS, sizes)
}

type PersonAvatarProps = Pick<ComponentProps<typeof Avatar>, 'size'> & {
  person: { id: string; name: string; avatarUrl: string | null }
}

/** The picture of someone with an account, or their initials. */
export const PersonAvatar = ({ person, ...look }: PersonAvatarProps) => (
  <Avatar name={person.name} person={person.id} src={useAvatarSource(person.avatarUrl)} {...look} />
)
