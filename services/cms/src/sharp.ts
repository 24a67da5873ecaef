/** Native code, which takes more memory than half of the service: loaded with the first picture. */
export const loadSharp = async () => (await import('sharp')).default
