/* What stands on the page before Streamlit does: the keys are heard, and the menu is folded, from the first moment. */

import { awaitPage, installKeys } from "./keys.js";
import { installMenu } from "./menu.js";

if (!location.pathname.endsWith("/")) awaitPage(); // the home page has no beats
installKeys();
installMenu();
