import { useState } from 'react';
import { GuideFilm } from './guide-film.js';

/** A recorded video, where one was built in; a file of this site's own, as its security policy allows no other. */
const VIDEO_URL = import.meta.env.VITE_GUIDE_VIDEO_URL as string | undefined;

/** The video of the guide; the drawn film takes its place where there is none, or when it does not arrive. */
export function GuideVideo() {
  const [broken, setBroken] = useState(false);
  if (!VIDEO_URL || broken) return <GuideFilm />;
  return (
    <video
      className="guide-video"
      controls
      playsInline
      preload="metadata"
      src={VIDEO_URL}
      onError={() => setBroken(true)}
    >
      <track kind="captions" src={`${VIDEO_URL}.vtt`} srcLang="en" label="English" />
    </video>
  );
}
