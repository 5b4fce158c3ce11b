import { type FormEvent, useState } from 'react';
import type { AdminGamerRow } from '../../../../../contracts/http/admin.js';
import { EMAIL_MAX_LENGTH } from '../../../../../contracts/limits.js';
import { reasonOf } from '../../../shared/api/api-error.js';
import { Field } from '../../../shared/ui/field.js';
import { toast } from '../../../shared/ui/toasts.js';
import { useEditProfile } from './gamers.queries.js';
import { emailProblem, gamerTagProblem } from './profile-rules.js';

export function ProfileForm({ gamer }: { gamer: AdminGamerRow }) {
  const [gamerTag, setGamerTag] = useState(gamer.gamerTag);
  const [email, setEmail] = useState(gamer.email);
  const [isTried, setTried] = useState(false);
  const { run, isBusy } = useEditProfile(gamer.id);
  const profile = { gamerTag: gamerTag.trim(), email: email.trim() };
  const problems = { gamerTag: gamerTagProblem(profile.gamerTag), email: emailProblem(profile.email) };
  const isChanged = profile.gamerTag !== gamer.gamerTag || profile.email !== gamer.email;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const problem = problems.gamerTag ?? problems.email;
    if (problem !== null) return toast({ title: 'Invalid Form', text: problem, tone: 'bad' });
    try {
      await run(profile);
      toast({ title: 'Profile Updated', text: `${profile.gamerTag}, ${profile.email}` });
    } catch (error) {
      toast({ title: 'Update Failed', text: reasonOf(error, 'Failed to update profile'), tone: 'bad' });
    }
  };
  return (
    <form className="grid gap-4" aria-label="Profile" noValidate onSubmit={(event) => void submit(event)}>
      <Field
        label="GamerTag"
        autoComplete="off"
        spellCheck={false}
        maxLength={20}
        value={gamerTag}
        error={isTried ? problems.gamerTag : null}
        onChange={(event) => setGamerTag(event.target.value)}
      />
      <Field
        label="Email"
        type="email"
        autoComplete="off"
        maxLength={EMAIL_MAX_LENGTH}
        value={email}
        error={isTried ? problems.email : null}
        onChange={(event) => setEmail(event.target.value)}
      />
      <button type="submit" className="btn btn--line" disabled={isBusy || !isChanged}>
        {isBusy ? 'Saving…' : 'Save profile'}
      </button>
    </form>
  );
}
