/**
 * Where the editor shows a picture from. One of the library is on this service, under whatever address the website
 * has: only its path counts.
 */
export const displayUrl = (src: string | null, mediaId: string | null): string | null => {
  if (src === null || mediaId === null) return src
  const at = src.indexOf(`/media/${mediaId}/`)
  return at === -1 ? src : src.slice(at)
}
