/** The file that a `data:` address of a picture holds, or null. */
export const fileOfData = (address: string): File | null => {
  const [, type, data] =
    /^data:(image\/(?:png|jpeg|gif|webp|avif|svg\+xml));base64,([A-Za-z0-9+/=\s]+)$/i.exec(address) ?? []
  if (type === undefined || data === undefined) return null
  try {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
    const ending = type.slice('image/'.length).replace('+xml', '').replace('jpeg', 'jpg')
    return new File([bytes], `pasted.${ending}`, { type: type.toLowerCase() })
  } catch {
    // Not what it says it is: there is no picture in it
    return null
  }
}
